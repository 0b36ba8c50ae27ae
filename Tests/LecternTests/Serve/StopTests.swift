import Foundation
import Glibc
import Outbound
import SharedByTests
import Testing

@Suite("The end of the program", .serialized, .ownThreads)
struct StopTests {
    private let data = TestDirectory.memory.path("stop")

    /// Opens a connection that sends a text, and then neither sends nor reads.
    private func stall(_ port: Int, _ text: String) -> Int32 {
        let descriptor = Loopback.connect(port: port, sending: text)
        #expect(descriptor >= 0)
        return descriptor
    }

    @Test("SIGTERM ends the server soon, whatever clients do not send or read")
    func slow() throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        let token = try Binary.newData(data)
        let server = try Binary(data: data)
        let head = "HTTP/1.1\r\nHost: t\r\nAuthorization: Bearer \(token)\r\n"
        let clients = [
            stall(server.port, "GET /v1/"),
            stall(server.port, "POST /v1/books \(head)Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"),
            stall(server.port, "GET /v1/changes \(head)Accept: text/event-stream\r\n\r\n"),
        ]
        defer { clients.forEach { close($0) } }
        #expect(try Client(port: server.port, token: token).exchange("GET", "/healthz").status == 200)
        // The stream does not end on its own.
        #expect(server.stop(with: SIGTERM) == 0)
    }

    @Test("A signal that is sent twice at once, as `timeout` does, ends the server as one does")
    func twice() throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        let server = try Binary(data: data)
        for _ in 0..<2 { kill(server.process.processIdentifier, SIGTERM) }
        server.process.waitUntilExit()
        #expect(server.process.terminationReason == .exit && server.process.terminationStatus == 0)
    }

    @Test("Other signals leave the server running", arguments: [SIGUSR1, SIGUSR2, SIGALRM])
    func meaningless(_ signal: Int32) throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        let server = try Binary(data: data)
        kill(server.process.processIdentifier, signal)
        #expect(try Client(port: server.port, token: "").exchange("GET", "/healthz").status == 200)
        #expect(server.stop(with: SIGTERM) == 0)
    }
}

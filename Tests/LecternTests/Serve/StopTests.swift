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

    @Test("A SIGHUP while the server reads its settings reloads them after the start")
    func earlyHangup() throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        try DatabaseTemplate.newest.copy(into: data)
        let settings = data + "/settings"
        // Reading this takes a debug build much longer than what comes before it.
        try String(repeating: "#\n", count: 1 << 19).write(toFile: settings, atomically: true, encoding: .utf8)
        let (process, log) = (Process(), Pipe())
        process.executableURL = URL(filePath: Binary.path)
        process.arguments = ["serve", "--listen", "127.0.0.1:0", "--data", data, "--settings", settings]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, log)
        try process.run()
        #expect(eventually { ticks(of: process.processIdentifier) >= 10 })
        kill(process.processIdentifier, SIGHUP)
        var output = ""
        while case let bytes = log.fileHandleForReading.availableData, !bytes.isEmpty {
            output += String(decoding: bytes, as: UTF8.self)
            if output.contains("settings were reloaded") { kill(process.processIdentifier, SIGTERM) }
        }
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0, "\(output)")
    }

    /// Returns the processor time that a process has used, in hundredths of a second.
    private func ticks(of process: Int32) -> Int {
        let stat = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
        let words = String(decoding: stat, as: UTF8.self).split(separator: ") ").last?.split(separator: " ") ?? []
        return words.count > 12 ? (Int(words[11]) ?? 0) + (Int(words[12]) ?? 0) : 0
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

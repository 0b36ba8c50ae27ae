import Foundation
import Glibc
import Outbound
import Testing

@Suite("The end of the program", .serialized)
struct StopTests {
    private let data = NSTemporaryDirectory() + "lectern-stop-\(UUID().uuidString)"

    /// A connection that sends what it is given and then neither sends nor reads.
    private func stall(_ port: Int, _ text: String) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        #expect(code == 0)
        _ = text.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
        return descriptor
    }

    @Test("SIGTERM ends it within eight seconds, whatever clients do not send or do not read")
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
        let start = ContinuousClock.now
        #expect(server.stop(with: SIGTERM) == 0)
        #expect(ContinuousClock.now - start < .seconds(8))
    }

    @Test("SIGHUP is an end like any other")
    func hangUp() throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        let server = try Binary(data: data)
        #expect(server.stop(with: SIGHUP) == 0)
        #expect(access(data + "/lectern.sqlite-wal", F_OK) != 0, "the store was closed")
    }
}

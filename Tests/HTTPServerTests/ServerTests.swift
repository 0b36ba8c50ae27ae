import Foundation
import Glibc
import HTTPServer
import SharedByTests
import Testing

extension SocketTests {
    @Suite("The server")
    struct ServerTests {
        private func path() -> String {
            NSTemporaryDirectory() + "lectern-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).sock"
        }

        @Test("A second server on the same port gets an error that says so")
        func addressInUse() throws {
            let server = try TestServer()
            let port = server.port
            let second = HTTPServer(loops: 1) { TestHandler($0, Journal()) }
            #expect(throws: HTTPServerError.addressInUse("127.0.0.1:\(port)")) {
                try second.listen(tcp: "127.0.0.1", port: port)
            }
            #expect(throws: HTTPServerError.self) { try second.listen(tcp: "192.0.2.1", port: 0) }
            #expect(throws: HTTPServerError.self) { try second.listen(unix: "/nowhere/at/all") }
            #expect(throws: HTTPServerError.self) { try second.listen(unix: String(repeating: "a", count: 200)) }
        }

        @Test("A Unix socket is only for its user, names the peer's user, and is removed at the end")
        func unixSocket() throws {
            let path = path()
            let journal = Journal()
            let server = HTTPServer(loops: 2) { TestHandler($0, journal) }
            try server.listen(unix: path)
            try server.start()
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
            let client = try TestClient(unix: path)
            client.send("GET /who HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.readResponse().hasSuffix("local"))
            let other = HTTPServer(loops: 1) { TestHandler($0, Journal()) }
            #expect(throws: HTTPServerError.addressInUse(path)) { try other.listen(unix: path) }
            server.drain(deadlineSeconds: 1)
            server.wait()
            #expect(stat(path, &status) != 0)
        }

        @Test("A socket file that nobody listens on is replaced")
        func abandoned() throws {
            let path = path()
            let dead = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            _ = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(dead, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            close(dead)
            let server = HTTPServer(loops: 1) { TestHandler($0, Journal()) }
            try server.listen(unix: path)
            try server.start()
            #expect(try TestClient(unix: path).send("GET / HTTP/1.0\r\n\r\n"))
            server.drain(deadlineSeconds: 1)
            server.wait()
        }

        @Test("Connections are spread over the loops")
        func spread() throws {
            let server = try TestServer(loops: 3)
            let clients = try (0..<9).map { _ in try server.client() }
            #expect(eventually { server.server.connectionCount == 9 })
            for client in clients {
                client.send("GET /who HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(client.readResponse().hasSuffix("\r\n127.0.0.1"))
            }
            #expect(server.server.loops.map(\.connectionCount) == [3, 3, 3])
        }

        @Test("Draining finishes what was begun, ends the streams, and accepts no more")
        func drains() throws {
            let server = try TestServer(loops: 2)
            let stream = try server.client()
            stream.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = stream.read(until: ":hi\n\n\r\n")
            let deferred = try server.client()
            deferred.send("GET /defer HTTP/1.1\r\nHost: a\r\n\r\n")
            let begun = try server.client()
            begun.send("POST /begun HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n")
            let quiet = try server.client()
            quiet.send("GET /q HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = quiet.readResponse()
            #expect(eventually { server.journal.held.count == 2 })
            server.server.drain(deadlineSeconds: 5)
            #expect(quiet.isClosed)
            #expect(stream.readAll() == "a\r\nretry: 1\n\n\r\n0\r\n\r\n")
            stream.finishSending()
            #expect(deferred.readAll().hasSuffix("late"))
            deferred.finishSending()
            begun.send("ok")
            begun.finishSending()
            let last = begun.readAll()
            #expect(last.hasSuffix("POST /begun ok") && last.field("Connection") == "close")
            server.server.wait()
            #expect(server.server.connectionCount == 0 && Descriptors.count(port: server.port) == 0)
            #expect(throws: HTTPServerError.self) { try server.client() }
        }

        @Test("Requests and streams that do not end by the deadline are closed")
        func cut() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send("POST /begun HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n")
            #expect(eventually { server.server.connectionCount == 1 })
            server.server.drain(deadlineSeconds: 1)
            server.server.wait()
            #expect(client.isClosed && Descriptors.count(port: server.port) == 0)
        }
    }
}

import Glibc
import HTTPServer
import SharedByTests
import Testing

extension SocketTests {
    @Suite("Turns")
    struct TurnTests {
        private static let requestCount = 400
        private let pipeline: String = (0..<Self.requestCount).map { "GET /slow?\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }
            .joined()

        /// Returns the answered targets, in order.
        private func answered(_ text: String) -> [String] {
            text.split(separator: "GET /slow?").dropFirst().map { String($0.prefix { $0.isNumber }) }
        }

        @Test("Other clients are served between one client's pipelined requests, whose responses keep their order")
        func fairness() throws {
            let server = try TestServer()
            let greedy = try server.client()
            greedy.send(pipeline)
            #expect(eventually { server.journal.count("GET /slow") >= 1 })
            #expect(try server.isAlive())
            #expect(server.journal.count("GET /slow") < Self.requestCount / 4)
            // Waiting requests are not lost even if the client sends no more.
            greedy.finishSending()
            #expect(answered(greedy.readAll()) == (0..<Self.requestCount).map(String.init))
            #expect(server.isClean())
        }

        @Test("Of many clients with many pipelined requests nobody waits for all of another's")
        func amongGreedy() throws {
            let server = try TestServer()
            let greedy = try (0..<20).map { _ in try server.client() }
            for client in greedy { client.send(pipeline) }
            for client in greedy { #expect(!(client.read() ?? []).isEmpty) }
            #expect(server.journal.count("GET /slow") < greedy.count * Self.requestCount / 2)
            #expect(try server.isAlive())
        }

        @Test("The socket is not read while requests wait that were read before")
        func backlog() throws {
            let server = try TestServer()
            let greedy = try server.client()
            let bytes = Array(pipeline.utf8)
            // This sends as much as the socket accepts.
            while send(greedy.descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) > 0 {}
            #expect(eventually { server.journal.count("GET /slow") >= 200 })
            #expect((server.onLoop { $0.bufferedBytes } ?? .max) < 150_000)
            greedy.reset()
        }

        @Test("A turn ends by count, too")
        func count() throws {
            let server = try TestServer {
                $0.turnRequestsMax = 1
                $0.turnMicrosecondsMax = 1_000_000
            }
            let client = try server.client()
            client.send(pipeline + "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            let all = client.readAll()
            #expect(answered(all).count == Self.requestCount && all.hasSuffix("GET /last "))
        }
    }
}

import HTTPServer
import SharedByTests
import Testing

extension SocketTests {
    @Suite("Limits")
    struct LimitTests {
        private static let refused: [(String, Int, String?)] = [
            ("GET /" + String(repeating: "a", count: 9000), 414, "requestLineBytesMax\",\"max\":8192"),
            (
                "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 17000), 431,
                "headBytesMax\",\"max\":16384"
            ),
            ("GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 101), 431, "headFieldsMax\",\"max\":100"),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n", 413, "bodyBytesMax\",\"max\":1048576"),
            (
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n100001\r\n", 413,
                "bodyBytesMax\",\"max\":1048576"
            ),
            (
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;"
                    + String(repeating: "a", count: 300), 400,
                "chunkExtensionBytesMax\",\"max\":256"
            ),
            ("POST / HTTP/1.0\r\n\r\n", 411, nil), ("GET / HTTP/1.1\r\nHost: a\r\nExpect: b\r\n\r\n", 417, nil),
            ("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 501, nil), ("GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505, nil),
            ("GET / HTTP/1.1\r\n\r\n", 400, nil),
        ]

        @Test(
            "Each exceeded limit has its status and a problem that names it, and closes the connection",
            arguments: refused)
        func statuses(_ text: String, _ status: Int, _ limit: String?) throws {
            let server = try TestServer()
            let client = try server.client()
            client.send(text)
            let answer = client.readAll()
            #expect(answer.statuses == [status])
            #expect(answer.field("Content-Type") == "application/problem+json")
            #expect(answer.contains("\"status\":\(status),\"detail\":\""))
            if let limit {
                #expect(answer.hasSuffix(",\"limit\":{\"name\":\"\(limit)}}"), "\(answer)")
            } else {
                #expect(!answer.contains("\"limit\""))
            }
            #expect(answer.field("Connection") == "close")
            #expect(try server.journal.all.isEmpty && server.isAlive())
        }

        @Test("A refused client that continues to send can read the reason")
        func lingering() throws {
            let server = try TestServer()
            let client = try server.client()
            let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000000\r\n\r\n"
            client.send(head + String(repeating: "a", count: 1_000_000))
            #expect(client.readAll().statuses == [413])
            client.finishSending()
            #expect(server.isClean())
        }

        @Test("Requests before a refused one are answered")
        func answersBefore() throws {
            let server = try TestServer()
            let client = try server.client()
            client.send(
                "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.readAll().statuses == [200, 400])
        }

        @Test("Slow heads and bodies get 408, quiet connections are closed, and progress alone is not enough")
        func deadlines() throws {
            let server = try TestServer {
                $0.headSecondsMax = 1
                $0.bodyGraceSeconds = 1
                $0.bodyBytesPerSecondMin = 1_000_000
                $0.idleSecondsMax = 2
            }
            let head = try server.client()
            head.send("GET / HT")
            let body = try server.client()
            body.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\na")
            let chunks = try server.client()
            chunks.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na")
            let quiet = try server.client()
            let drip = try server.client()
            drip.send("GET / HTTP/1.1\r\nX: ")
            var answer = ""
            // A single byte now and then does not extend the deadline.
            _ = eventually {
                drip.send("y")
                return server.server.connectionCount <= 1
            }
            answer = drip.readAll()
            #expect(answer.isEmpty || answer.statuses == [408])
            #expect(head.readAll().statuses == [408])
            let slow = body.readAll()
            #expect(slow.statuses == [408] && slow.contains(#"{"name":"bodyBytesPerSecondMin","min":1000000}"#))
            #expect(chunks.readAll().statuses == [408])
            #expect(quiet.readAll() == "" && quiet.isClosed)
            #expect(server.isClean())
        }

        @Test("With all connections used, the reserve serves what it is for, and other requests get 503")
        func connections() throws {
            let server = try TestServer {
                $0.connectionsMax = 2
                $0.reservedConnectionsMax = 2
                $0.reservedPath = "/alive"
            }
            let waiting = try (0..<2).map { _ in try server.client() }
            for client in waiting { client.send("GET /never HTTP/1.1\r\nHost: a\r\n\r\n") }
            #expect(eventually { server.journal.count("GET /never") == 2 })
            func status(_ path: String) throws -> [Int] {
                let client = try server.client()
                client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                return client.readAll().statuses
            }
            for _ in 0..<5 {
                #expect(try status("/other") == [503])
                #expect(eventually { server.server.connectionCount == 2 })
                #expect(try status("/alive") == [200])
                #expect(eventually { server.server.connectionCount == 2 })
            }
            #expect(server.journal.count("GET /other") == 0)
            for client in waiting { client.reset() }
            _ = waiting
        }

        @Test("The reserve of connections is limited, and beyond it a refusal has Retry-After")
        func reserveEnd() throws {
            let server = try TestServer {
                $0.connectionsMax = 2
                $0.reservedConnectionsMax = 1
                $0.reservedPath = "/never"
            }
            let waiting = try (1...3).map { count in
                let client = try server.client()
                client.send("GET /never HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(eventually { server.journal.count("GET /never") == count })
                return client
            }
            let answer = try server.client().readAll()
            #expect(answer.statuses == [503])
            #expect(answer.field("Retry-After") == "1")
            #expect(answer.field("Cache-Control") == "no-store")
            #expect(answer.field("Connection") == "close")
            for client in waiting { client.reset() }
        }

        @Test(
            "With all connections used by silent clients, new requests and probes are served")
        func silence() throws {
            let server = try TestServer(loops: 2) {
                $0.connectionsMax = 6
                $0.reservedConnectionsMax = 2
                $0.reservedPath = "/alive"
                $0.crowdedSecondsMax = 1
            }
            let silent = try (0..<8).map { _ in try server.client() }
            #expect(eventually { server.server.connectionCount == 8 })
            for _ in 0..<4 { #expect(try server.isAlive()) }
            // All of them are older than crowdedSecondsMax by then, and none has reached its own deadline.
            #expect(
                try eventually {
                    let client = try server.client()
                    client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                    return client.readAll().statuses == [200]
                })
            _ = silent
        }

        @Test(
            "With all connections used by unfinished requests, a new one is served at once",
            arguments: [
                "", "GET / HTTP/1.1\r\nHo", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", "GET /\r\n\r\n",
            ])
        func unfinished(_ part: String) throws {
            let server = try TestServer {
                $0.connectionsMax = 4
                $0.reservedConnectionsMax = 0
                $0.crowdedSecondsMax = 0
            }
            let unfinished = try (0..<4).map { count in
                let client = try server.client()
                client.send(part)
                #expect(eventually { server.server.connectionCount == count + 1 })
                return client
            }
            let client = try server.client()
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.readResponse().statuses == [200])
            #expect(server.server.connectionCount == 4)
            // The first of them was closed, and no other one.
            let last = unfinished[0].readAll()
            #expect(last.isEmpty || last.field("Retry-After") == "1" || last.statuses == [400])
        }

        @Test("With all connections used, quiet ones are closed, and those being served are not")
        func shedding() throws {
            let server = try TestServer {
                $0.connectionsMax = 4
                $0.crowdedSecondsMax = 0
            }
            let waiting = try server.client()
            waiting.send("GET /never HTTP/1.1\r\nHost: a\r\n\r\n")
            let idle = try server.client()
            idle.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(idle.readResponse().statuses == [200])
            let unused = try server.client()
            let unfinished = try server.client()
            unfinished.send("GET / HT")
            #expect(eventually { server.server.connectionCount == 4 })
            #expect(
                try eventually {
                    let client = try server.client()
                    client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                    return client.readAll().statuses == [200]
                })
            // The quietest connection is closed first; the others are closed when more places are needed.
            #expect(idle.isClosed)
            var held: [TestClient] = []
            #expect(
                try eventually {
                    held.append(try server.client())
                    held.last?.send("GET /never HTTP/1.1\r\nHost: a\r\n\r\n")
                    return server.journal.count("GET /never") == 4
                })
            #expect(unused.isClosed)
            #expect(unfinished.readAll().statuses == [503])
            let id = try #require(server.journal.held.first)
            #expect(server.onLoop { $0.answer(id) { $0.body("still there", type: "text/plain") } } == true)
            #expect(waiting.readResponse().hasSuffix("still there"))
        }

        @Test("Full buffers refuse requests, and are released")
        func buffers() throws {
            let server = try TestServer { $0.bufferedBytesMax = 50_000 }
            let client = try server.client()
            client.send(
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + String(repeating: "a", count: 60000))
            #expect(client.readAll().statuses == [503])
            #expect(try server.isAlive())
        }

        @Test("A client that never reads is closed, without effect on others")
        func neverReads() throws {
            let server = try TestServer { $0.writeStallSecondsMax = 1 }
            let client = try TestClient(port: server.port, receiveBuffer: 4096)
            client.send(String(repeating: "GET /big?4000000 HTTP/1.1\r\nHost: a\r\n\r\n", count: 50))
            #expect(eventually { server.journal.all.count >= 1 })
            #expect(try server.isAlive())
            #expect(server.isClean())
            // The first responses filled the socket, so the other requests were never handled.
            #expect(server.journal.count("GET /big") < 5)
            _ = client
        }

        @Test("A slow reader gets all of a large response, and the requests behind it wait")
        func backPressure() throws {
            let server = try TestServer()
            let client = try TestClient(port: server.port, receiveBuffer: 4096)
            client.send("GET /big?20000000 HTTP/1.1\r\nHost: a\r\n\r\nGET /after HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(eventually { server.journal.count("GET /big") == 1 })
            client.send("GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(try server.isAlive())
            #expect(server.journal.count("GET /after") == 0)
            let all = client.readAll()
            #expect(all.utf8.count > 20_000_000 && all.hasSuffix("GET /last "))
            #expect(server.journal.count("GET /after") == 1)
            #expect(server.onLoop { $0.bufferedBytes } == 0)
        }

        @Test("A reset in the middle of a response affects no other client")
        func resets() throws {
            let server = try TestServer()
            for _ in 0..<50 {
                let client = try TestClient(port: server.port, receiveBuffer: 4096)
                client.send("GET /big?3000000 HTTP/1.1\r\nHost: a\r\n\r\nGET /never HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = client.read()
                client.reset()
            }
            #expect(server.isClean())
            #expect(try server.isAlive())
        }
    }
}

import Glibc
import HTTPServer
import SharedByTests
import Testing

extension SocketTests {
    @Suite("Scheduling subjects")
    struct SubjectTests {
        private func request(_ target: String, of subject: Int, _ method: String = "GET", _ rest: String = "\r\n")
            -> String
        {
            "\(method) \(target) HTTP/1.1\r\nHost: a\r\nX-Subject: \(subject)\r\n\(rest)"
        }

        /// Returns connections of a subject that have been accepted, and served once.
        private func clients(_ server: TestServer, _ count: Int, of subject: Int) throws -> [TestClient] {
            try (0..<count).map { _ in
                let client = try server.client()
                client.send(request("/hello", of: subject))
                _ = client.readResponse()
                return client
            }
        }

        /// Returns three slow requests in a row.
        private func slow(of subject: Int) -> String {
            request("/slow", of: subject) + request("/slow", of: subject) + request("/slow?last", of: subject)
        }

        /// Returns the handler's journal without the greetings.
        private func seen(_ server: TestServer) -> [String] { server.journal.all.filter { $0 != "GET /hello" } }

        @Test("A subject with many connections gets the turns of one")
        func manyConnections() throws {
            let server = try TestServer()
            let greedy = try clients(server, 20, of: 1)
            let other = try clients(server, 1, of: 2)[0]
            let gate = server.hold()
            for client in greedy { client.send(slow(of: 1)) }
            other.send(request("/other", of: 2))
            gate.open()
            #expect(other.readResponse().hasSuffix("GET /other "))
            for client in greedy { #expect(client.read(until: "GET /slow?last ").hasSuffix("GET /slow?last ")) }
            // At most two milliseconds of the first connection, and the first request of another one.
            let before = try #require(seen(server).firstIndex(of: "GET /other"))
            #expect(before <= 4, "\(seen(server))")
        }

        @Test("A request that waits for its turn keeps its body, and those behind it wait for it")
        func parked() throws {
            let server = try TestServer()
            let (first, second) = (try clients(server, 1, of: 1)[0], try clients(server, 1, of: 1)[0])
            let other = try clients(server, 1, of: 2)[0]
            let gate = server.hold()
            first.send(slow(of: 1))
            let chunked = "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
            let sized = "Content-Length: 4\r\n\r\nfour"
            second.send(
                request("/a", of: 1, "POST", chunked) + request("/b", of: 1, "PUT", sized) + request("/c", of: 1))
            other.send(request("/other", of: 2))
            gate.open()
            let answers = second.read(until: "GET /c ")
            #expect(
                answers.contains("POST /a abcde") && answers.contains("PUT /b four") && answers.hasSuffix("GET /c "))
            let seen = seen(server)
            #expect(seen.firstIndex(of: "GET /other") ?? .max < seen.firstIndex(of: "POST /a") ?? 0, "\(seen)")
        }

        @Test("A request whose client has disconnected before its turn is not handled")
        func abandoned() throws {
            let server = try TestServer()
            var greedy = try clients(server, 4, of: 1)
            let other = try clients(server, 1, of: 2)[0]
            let gate = server.hold()
            for client in greedy { client.send(request("/slow", of: 1) + request("/slow", of: 1)) }
            other.send(request("/gate", of: 2))
            gate.open()
            // The first two milliseconds are over, and the subject's other requests wait.
            server.journal.gate.waitUntilEntered()
            let before = server.journal.count("GET /slow")
            let ports = greedy.map(\.port)
            for client in greedy { client.reset() }
            greedy = []
            #expect(eventually { ports.allSatisfy { !TestClient.isConnected($0) } })
            server.journal.gate.open()
            #expect(other.readResponse().hasPrefix("HTTP/1.1 200"))
            _ = try clients(server, 1, of: 1)
            #expect(server.journal.count("GET /slow") == before && before < 8)
        }

        @Test("A request whose client gives up before it is read is not handled")
        func abandonedBefore() throws {
            let server = try TestServer()
            var greedy = try clients(server, 4, of: 1)
            let gate = server.hold()
            let ports = greedy.map(\.port)
            for client in greedy {
                client.send(request("/abandoned", of: 1))
                client.reset()
            }
            greedy = []
            #expect(eventually { ports.allSatisfy { !TestClient.isConnected($0) } })
            gate.open()
            _ = try clients(server, 1, of: 1)
            #expect(server.journal.count("GET /abandoned") == 0)
        }

        @Test("A probe does not wait for a turn")
        func probe() throws {
            let server = try TestServer()
            let greedy = try clients(server, 3, of: 1)
            let other = try clients(server, 1, of: 2)[0]
            let gate = server.hold()
            for client in greedy { client.send(slow(of: 1)) }
            other.send(request("/probe", of: 1))
            gate.open()
            #expect(other.readResponse().hasSuffix("GET /probe "))
            for client in greedy { #expect(client.read(until: "GET /slow?last ").hasSuffix("GET /slow?last ")) }
            #expect(try #require(seen(server).firstIndex(of: "GET /probe")) <= 4, "\(seen(server))")
        }

        @Test("Jobs of an exchange take turns with other subjects, and end with their connection")
        func jobs() throws {
            let server = try TestServer()
            let busy = try clients(server, 1, of: 1)[0]
            let others = try clients(server, 4, of: 2)
            let gate = server.hold()
            busy.send(request("/jobs", of: 1))
            for client in others { client.send(slow(of: 2)) }
            gate.open()
            #expect(busy.readResponse().hasSuffix("done"))
            let seen = seen(server)
            let last = try #require(seen.firstIndex(of: "job 1"))
            #expect(seen[..<last].count { $0 == "GET /slow" } >= 4, "\(seen)")
            for client in others { #expect(client.read(until: "GET /slow?last ").hasSuffix("GET /slow?last ")) }
            // No client waits for these jobs.
            var gone = try clients(server, 1, of: 1)
            let second = server.hold()
            gone[0].send(request("/jobs", of: 1) + request("/gate", of: 1))
            others[0].send(request("/gate", of: 2))
            second.open()
            server.journal.gate.waitUntilEntered()
            gone[0].reset()
            gone = []
            server.journal.gate.open()
            _ = others[0].readResponse()
            _ = try clients(server, 1, of: 1)
            #expect(server.journal.count("job 1") == 1)
        }
    }
}

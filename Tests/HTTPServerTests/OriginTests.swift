import Bytes
import Dispatch
import SharedByTests
import Testing

@testable import HTTPServer

extension SocketTests {
    @Suite("Origins")
    struct OriginTests {
        @Test(
            "An origin is accepted as browsers write it",
            arguments: [
                "https://example.org", "http://localhost:5173", "https://a.b-c.example:8443", "http://[::1]:8080",
                "http://127.0.0.1", "https://xn--bcher-kva.example", "capacitor://localhost",
            ])
        func taken(_ text: String) throws { #expect(try WebOrigin(text).text == text) }

        @Test(
            "A text that no browser sends is refused with the reason",
            arguments: [
                ("*", "every origin"), ("null", "sandboxed"), ("", "https://"), ("example.org", "https://"),
                ("https:/example.org", "https://"), ("HTTPS://example.org", "lowercase"),
                ("https://Example.org", "lowercase"), ("https://bücher.example", "ASCII"),
                ("https://example.org/", "remove \"/\""), ("https://example.org/app?x", "remove \"/app?x\""),
                ("https://example.org#", "remove"), ("https://example.org:443", ":443"), ("http://a:80", ":80"),
                ("https://example.org:", "port"), ("https://example.org:0", "port"), ("https://a:08443", "port"),
                ("https://a:99999", "port"), ("https://*.example.org", "is not a host"),
                ("https://ada@example.org", "is not a host"),
                ("https://", "is not a host"), ("file://", "is not a host"), ("https://a b", "is not a host"),
                ("https://a,b", "is not a host"),
                ("https://a\r\nx: y", "is not a port"), ("https://[::1", "is not a host"),
                ("http://[]", "is not a host"),
            ])
        func refused(_ text: String, _ why: String) {
            do throws(InvalidText) {
                _ = try WebOrigin(text)
                Issue.record("\(text) is taken")
            } catch { #expect(error.reason.contains(why), "\(text): \(error.reason)") }
        }

        private func server() throws -> TestServer {
            try TestServer(origins: [try WebOrigin("https://a.example"), try WebOrigin("https://b.example:8443")]) {
                $0.connectionsMax = 3
                $0.reservedConnectionsMax = 1
                $0.reservedPath = "/alive"
                $0.requestLineBytesMax = 100
                $0.headFieldsMax = 9
            }
        }

        /// Requests with one response each, up to their last line.
        static let requests = [
            "GET /x HTTP/1.1\r\nHost: a\r\n", "HEAD /x HTTP/1.1\r\nHost: a\r\n", "GET /x HTTP/1.0\r\n",
            "GET /stream HTTP/1.1\r\nHost: a\r\n", "GET /inject HTTP/1.1\r\nHost: a\r\n",
            "BREW /x HTTP/1.1\r\nHost: a\r\n", "GET /x HTTP/1.1\r\n",
            "GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n", "GET /x HTTP/2.0\r\nHost: a\r\n",
            "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n",
            "GET /x HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 9),
            "GET /\(String(repeating: "x", count: 200)) HTTP/1.1\r\nHost: a\r\n",
        ]

        @Test(
            "A page of an allowed origin may read each response, others may not, and each response has Vary for caches",
            arguments: requests)
        func answers(_ request: String) throws {
            let server = try server()
            let cases = [
                ("https://a.example", true), ("https://b.example:8443", true), ("https://b.example", false),
                ("https://a.example.org", false), ("https://A.example", false), ("null", false), ("*", false),
                ("", false),
            ]
            for (origin, isAllowed) in cases {
                let client = try server.client()
                // A request that is refused within its fields has an Origin before that.
                let parts = request.split(separator: "\r\n", maxSplits: 1, omittingEmptySubsequences: false)
                client.send("\(parts[0])\r\norigin:  \(origin) \r\n\(parts[1])\r\n")
                client.finishSending()
                let head = client.readAll().components(of: "\r\n\r\n")
                #expect(head.field("Access-Control-Allow-Origin") == (isAllowed ? origin : nil), "\(head)")
                #expect(head.field("Access-Control-Expose-Headers") == (isAllowed ? "ETag, X" : nil), "\(head)")
                #expect(head.field("Vary") == "Origin" && !head.contains("Credentials"), "\(head)")
            }
        }

        @Test("A later response is for the origin of its request, and not of the next one")
        func deferred() throws {
            let server = try server()
            let client = try server.client()
            for (number, origin) in ["https://a.example", "https://evil.example", "https://b.example:8443"].enumerated()
            {
                client.send("GET /defer HTTP/1.1\r\nHost: a\r\nOrigin: \(origin)\r\n\r\n")
                #expect(eventually { server.journal.held.count == number + 1 })
                let id = try #require(server.journal.held.last)
                #expect(server.onLoop { $0.answer(id) { $0.body("late", type: "text/plain") } } == true)
                let answer = client.readResponse()
                #expect(answer.field("Access-Control-Allow-Origin") == (number == 1 ? nil : origin))
                #expect(answer.field("Vary") == "Origin")
            }
        }

        @Test("A repeated Origin field matches no origin")
        func twice() throws {
            let server = try server()
            let client = try server.client()
            let line = "Origin: https://a.example\r\n"
            client.send("GET /x HTTP/1.1\r\nHost: a\r\n\(line)\(line)\r\n")
            let answer = client.readResponse()
            #expect(answer.statuses == [200] && answer.field("Access-Control-Allow-Origin") == nil)
        }

        @Test("A server without allowed origins sends no CORS fields")
        func off() throws {
            let server = try TestServer()
            for request in Self.requests.prefix(3) {
                let client = try server.client()
                client.send("\(request)Origin: https://a.example\r\n\r\n")
                client.finishSending()
                let answer = client.readAll()
                #expect(answer.hasPrefix("HTTP/1.1 200") && !answer.contains("Vary") && !answer.contains("Access"))
            }
        }

        @Test("A refused EventSource gets a stream with a retry time, and other clients a status with the reason")
        func noRoom() throws {
            let server = try server()
            let waiting = try (1...3).map { count in
                let client = try server.client()
                client.send("GET /never HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(eventually { server.journal.count("GET /never") == count })
                return client
            }
            func answer(_ method: String, _ fields: String) throws -> String {
                let client = try server.client()
                client.send("\(method) /x HTTP/1.1\r\nHost: a\r\nOrigin: https://a.example\r\n\(fields)\r\n")
                let answer = client.readAll()
                client.finishSending()
                #expect(eventually { server.server.connectionCount == 3 })
                return answer
            }
            let empty = try answer("GET", "Accept: text/html, Text/Event-Stream;q=1\r\n")
            #expect(empty.statuses == [200] && empty.field("Content-Type") == "text/event-stream")
            #expect(empty.field("Access-Control-Allow-Origin") == "https://a.example")
            #expect(
                empty.contains("\r\n\r\nretry: ") && empty.contains("\n: {\"type\":\"/problems/too-many-connections\""))
            #expect(empty.hasSuffix("}\n") && !empty.contains("\n\n"))
            let received = [
                try answer("GET", "Accept: text/event-stream\r\nAuthorization: Bearer x\r\n"),
                try answer("GET", "Accept: */*\r\n"), try answer("POST", "Accept: text/event-stream\r\n"),
                try answer("HEAD", "Accept: text/event-stream\r\n"),
            ]
            for answer in received {
                #expect(answer.statuses == [503] && answer.field("Retry-After") == "1", "\(answer)")
            }
            for client in waiting { client.reset() }
        }

        @Test("A page may read a refusal beyond the reserved connections, also if its request has already arrived")
        func unseen() throws {
            let server = try TestServer(origins: [try WebOrigin("https://a.example")]) {
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
            let gate = DispatchSemaphore(value: 0)
            server.server.loops[0].execute { gate.wait() }
            let streams = try ["", "Authorization: Bearer x\r\n"].map { field in
                let client = try server.client()
                client.send("GET /x HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\(field)\r\n")
                return client
            }
            gate.signal()
            let answers = streams.map { $0.readAll() }
            #expect(answers[0].statuses == [200] && answers[0].contains("\r\n\r\nretry: "))
            #expect(answers[1].statuses == [503] && answers[1].field("Vary") == "Origin")
            for client in waiting { client.reset() }
        }
    }
}

extension String {
    /// Returns the text before the first occurrence of another.
    fileprivate func components(of end: String) -> String {
        utf8Range(of: end).map { String(decoding: Array(utf8.prefix($0)), as: UTF8.self) } ?? self
    }
}

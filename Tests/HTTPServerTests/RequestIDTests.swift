import Glibc
import SharedByTests
import Testing

@testable import HTTPServer

@Suite("Request ids", .ownThreads)
struct RequestIDTests {
    private func answer(_ server: TestServer, to text: String) throws -> String {
        let client = try server.client()
        client.send(text)
        return client.readAll()
    }

    @Test("Every kind of response has its request's id")
    func given() throws {
        let server = try TestServer { $0.requestLineBytesMax = 200 }
        let id = "a.Z_9-" + String(repeating: "x", count: 58)
        let tail = "Host: a\r\nConnection: close\r\nX-Request-Id: \(id)\r\n"
        for head in [
            "GET /a HTTP/1.1", "HEAD /a HTTP/1.1", "BREW /a HTTP/1.1", "GET /stream HTTP/1.0",
            "GET /inject HTTP/1.1", "GET /a b HTTP/1.1", "POST /a HTTP/1.1\r\nTransfer-Encoding: gzip",
            "GET /a HTTP/1.1\r\nHost: b",
        ] {
            let client = try server.client()
            client.send("\(head)\r\n\(tail)\r\n")
            let text = client.read(until: "\r\n\r\n")
            #expect(text.contains("\r\nX-Request-Id: \(id)\r\n"), "\(head): \(text)")
        }
    }

    @Test("An unsuitable X-Request-ID is ignored: the request gets one from the server, and no two are the same")
    func made() throws {
        let server = try TestServer(loops: 2)
        var ids: Set<String> = []
        let long = String(repeating: "x", count: 65)
        for field in [
            "", "X-Request-Id: a b\r\n", "X-Request-Id: a\u{e9}\r\n", "X-Request-Id: \"\r\n",
            "X-Request-Id:\r\n", "X-Request-Id: \(long)\r\n", "X-Request-Id: a\r\nX-Request-Id: a\r\n",
        ] {
            let text = try answer(server, to: "GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(field)\r\n")
            let id = try #require(text.field("X-Request-Id"))
            #expect(id.wholeMatch(of: /[0-9a-f]{16}/) != nil, "\(field): \(id)")
            ids.insert(String(id))
        }
        #expect(ids.count == 7)
    }

    @Test("A request ends once, with its recorded facts, whatever the response")
    func ends() throws {
        let server = try TestServer()
        let tail = "Host: a\r\nConnection: close\r\nX-Request-Id: one\r\n\r\n"
        let client = try server.client()
        client.send("GET /traced HTTP/1.1\r\n" + tail)
        #expect(eventually { server.journal.held.count == 1 })
        #expect(server.journal.ends.isEmpty)
        let id = server.journal.held[0]
        server.onLoop { $0.answer(id) { $0.body("late", type: "text/plain") } }
        #expect(client.readAll().contains("\r\nX-Request-Id: one\r\n"))
        let end = try #require(server.journal.ends.first)
        #expect(end.trace.id == .given(Array("one".utf8)) && end.status == 200 && end.trace.method == .get)
        #expect(end.trace.route == 7 && end.trace.subject == (1, 2) && end.nanoseconds > 0)
        for (text, status, outcome) in [
            ("GET /a HTTP/1.1\r\n", 200, RequestOutcome.answer), ("BREW / HTTP/1.1\r\n", 501, .answer),
            ("GET /stream HTTP/1.0\r\n", 200, .stream),
            ("GET /a b HTTP/1.1\r\n", 400, .refusal),
        ] {
            let before = server.journal.ends.count
            let client = try server.client()
            client.send(text + tail)
            _ = client.read(until: "\r\n\r\n")
            let ends = server.journal.ends.dropFirst(before).filter { $0.outcome != .streamEnd }
            #expect(ends.map(\.status) == [status] && ends.map(\.outcome) == [outcome], "\(text): \(ends)")
        }
        #expect(eventually { server.journal.ends.count { $0.outcome == .streamEnd } == 1 })
    }

    @Test("A request whose client disconnects before the response has an end, too")
    func abandoned() throws {
        let server = try TestServer()
        do {
            let client = try server.client()
            client.send("GET /defer HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(eventually { server.journal.held.count == 1 })
            // This closes with a reset: a client that only stops sending may still read.
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(client.descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        }
        #expect(eventually { server.journal.ends.map(\.status) == [499] })
        #expect(server.journal.ends.map(\.outcome) == [.abandoned])
    }
}

import HTTPServer
import JSON
import SharedByTests
import Testing

@testable import API

@Suite("Strict requests", .serialized, .ownThreads)
struct StrictnessTests {
    private func fields(_ service: TestService, _ more: String = "") -> String {
        "Host: t\r\nAuthorization: Bearer \(service.token)\r\n\(more)\r\n"
    }

    @Test("The Link to the next page repeats only the understood parameters")
    func link() throws {
        let service = try TestService()
        for number in 0..<3 { _ = try service.make("/v1/books", "{\"title\":\"Ünder \(number)\"}") }
        let first = try service.send("GET", "/v1/books?limit=1&q=%C3%BCnder")
        let next = first["next"]?.string ?? ""
        #expect(first.fields["link"] == "</v1/books?limit=1&q=%C3%BCnder&cursor=\(next)>; rel=\"next\"")
        // The request's own cursor is replaced, however its name is encoded, and characters that would end the target
        // are escaped.
        let second = try service.send("GET", "/v1/books?%63ursor=\(next)&q=+%3E%2C%3Cu%22&limit=1")
        let last = second["next"]?.string ?? ""
        #expect(second.status == 200 && last != next)
        #expect(second.fields["link"] == "</v1/books?q=%20%3E%2C%3Cu%22&limit=1&cursor=\(last)>; rel=\"next\"")
        #expect(try service.send("GET", "/v1/books?limit=1&q=<x>").status == 400)
    }

    @Test("An unknown method is 501, and one that a path does not have 405")
    func methods() throws {
        let service = try TestService()
        let wire = try Wire(service)
        for method in ["BREW", "trace", "get", "PROPFIND"] {
            wire.send("\(method) /v1/books HTTP/1.1\r\n\(fields(service))")
            let answer = wire.read(until: "}")
            #expect(answer.hasPrefix("HTTP/1.1 501 ") && answer.contains("/problems/method-unknown"), "\(answer)")
        }
        for method in ["DELETE", "TRACE"] {
            let answer = try service.send(method, "/v1/books")
            #expect(answer.status == 405 && answer.fields["allow"] == "GET, HEAD, POST, OPTIONS", "\(method)")
        }
    }

    @Test(
        "Of a repeated header field that may occur once no value is used",
        arguments: [
            ("GET", "Authorization: Bearer x"), ("GET", "Authorization: Basic eDp5"),
            ("GET", "Accept: text/event-stream\r\nLast-Event-ID: 1\r\nLast-Event-ID: 2"),
            ("POST", "Content-Type: application/json\r\nContent-Type: text/plain"),
            ("POST", "Content-Type: application/json\r\nIdempotency-Key: a\r\nIdempotency-Key: b"),
        ])
    func repeated(_ method: String, _ more: String) throws {
        let service = try TestService()
        let wire = try Wire(service)
        let before = try service.head()
        let body = method == "POST" ? "{\"title\":\"x\"}" : ""
        wire.send("\(method) /v1/books HTTP/1.1\r\nContent-Length: \(body.utf8.count)\r\n")
        wire.send(fields(service, more + "\r\n") + body)
        let answer = wire.read(until: "}")
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("/problems/repeated-field"), "\(answer)")
        #expect(try service.events(after: before).isEmpty)
    }

    @Test("A refused HEAD has no body, wherever it is refused")
    func refusedHead() throws {
        let service = try TestService()
        let refused = [
            "HEAD /< HTTP/1.1\r\nHost: t\r\n\r\n", "HEAD / HTTP/1.1\r\nHost: a%zz\r\n\r\n", "HEAD / HTTP/1.1\r\n\r\n",
            "HEAD / HTTP/3.0\r\n\r\n", "HEAD /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\n\r\n",
            "HEAD / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
            "HEAD /v1/me HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n",
            "HEAD /v1/none HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n",
        ]
        for request in refused {
            let wire = try Wire(service)
            wire.send(request)
            let answer = wire.read(until: "at the end")
            #expect(answer.hasPrefix("HTTP/1.1 ") && answer.hasSuffix("\r\n\r\n"), "\(request): \(answer)")
            #expect(answer.contains("application/problem+json") && !answer.contains("Content-Length: 0\r\n"))
        }
    }

    @Test("Location writes ids as bodies do")
    func location() throws {
        let service = try TestService()
        let id = "01890000-ABCD-7000-8000-00000000000A"
        let book = try service.send("PUT", "/v1/books/\(id)", "{\"title\":\"Kindred\"}")
        #expect(book.status == 201 && book.fields["location"] == "/v1/books/\(book["id"]?.string ?? "")")
        let reading = try service.make("/v1/readings", "{\"book\":\"\(id)\"}")
        let entry = try service.send("POST", "/v1/readings/\(reading.uppercased())/entries", "{\"progress\":0.1}")
        #expect(entry.fields["location"] == "/v1/readings/\(reading)/entries/\(entry["id"]?.string ?? "")")
    }

    @Test("A write with an unknown query parameter is refused without effect")
    func unknownParameters() throws {
        let service = try TestService()
        let nobody = "01890000-0000-7000-8000-000000000001"
        let before = try service.head()
        for route in Route.all where route.admission != .anyone {
            let method = route.method
            let path = "\(route.path)".replacing(#/\{[A-Za-z]+\}/#, with: nobody)
            let body = method == .post || method == .put || method == .patch ? "{\"title\":\"x\"}" : nil
            let answer = try service.send("\(method.text)", "\(path)?dryRun=true", body)
            // A route without a query may respond with 404 as well.
            let isRead = method == .get && (answer.status == 404 || answer.text.contains("local-only"))
            #expect(
                isRead || answer.status == 400 && answer.text.contains("dryRun"),
                "\(method.text) \(path): \(answer.text)")
        }
        #expect(try service.events(after: before).isEmpty)
    }

    @Test(
        "An error in JSON has the byte where it is, also for a truncated text",
        arguments: [
            ("{\"title\":\"x\"", "byte 12: the end of the text, within the object that begins at byte 0"),
            ("{\"title\":\"x", "byte 11: the end of the text, within the string that begins at byte 9"),
            ("{\"title\":", "byte 9: the end of the text, within the object that begins at byte 0"),
            ("{\"title\":\"x\",}", "byte 12: a trailing comma"), (" ", "byte 1: no value"),
        ])
    func places(_ body: String, _ place: String) throws {
        let answer = try TestService().send("POST", "/v1/books", body)
        #expect(answer.status == 400 && answer["detail"]?.string?.contains(place) == true, "\(answer.text)")
    }
}

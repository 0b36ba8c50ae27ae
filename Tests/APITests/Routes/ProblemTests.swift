import HTTPServer
import JSON
import Model
import Testing

@testable import API

@Suite("Problems")
struct ProblemTests {
    @Test("Every kind of problem has its own type, in the contract and with a page")
    func documented() throws {
        let service = try TestService()
        let contract = try service.send("GET", "/openapi.yaml", token: "").text
        let refusals = RequestRefusalKind.allCases.map { ($0.rawValue, $0.status) }
        let kinds = ProblemKind.allCases.map { ($0.rawValue, $0.page.status) }
        for (slug, status) in kinds + refusals {
            let isSaid = contract.contains("\n        /problems/\(slug): '\(status): ")
            #expect(isSaid, "the contract has no problem \(slug) with the status \(status) of its page")
            let page = try service.send("GET", "/problems/\(slug)", token: "")
            #expect(page.status == 200 && page.fields["content-type"] == "text/plain; charset=utf-8", "\(slug)")
            #expect(page.text.contains("(\(status))\n\n"), "\(slug)")
        }
        let slugs = Set((kinds + refusals).map(\.0))
        #expect(slugs.count == kinds.count + refusals.count)
        #expect(contract.matches(of: #/\n        /problems/[a-z0-9-]+: '\d{3}: /#).count == slugs.count)
        #expect(try service.send("GET", "/problems/none", token: "").status == 404)
    }

    @Test("Refusals have different types for programs")
    func types() throws {
        let service = try TestService()
        let ben = try service.reader("Ben")
        let book = try service.make("/v1/books", "{\"title\":\"Kindred\"}")
        let reading = "/v1/readings/" + (try service.make("/v1/readings", "{\"book\":\"\(book)\"}"))
        _ = try service.send("PATCH", reading, "{\"isFinished\":true}")
        let key = ["Idempotency-Key: k"]
        _ = try service.send("POST", "/v1/books", "{\"title\":\"Dawn\"}", fields: key)
        let refusals: [(Answer, Int, String)] = [
            (try service.send("POST", "\(reading)/entries", "{\"progress\":0.5}"), 409, "reading-finished"),
            (try service.send("DELETE", "/v1/books/\(book)"), 409, "book-in-use"),
            (try service.send("GET", "/v1/books?cursor=x"), 409, "foreign-cursor"),
            (try service.send("GET", "/v1/books?colour=red"), 400, "unknown-parameter"),
            (try service.send("GET", "/v1/books?limit=0"), 400, "invalid-parameter"),
            (try service.send("POST", "/v1/books", "{"), 400, "malformed-json"),
            (try service.send("POST", "/v1/books", "{}"), 422, "invalid"),
            (try service.send("POST", "/v1/books", "{\"title\":\"x\"}", fields: key), 422, "idempotency-key-reused"),
            (try service.send("GET", "/v1/readers", token: ben), 403, "administrators-only"),
            (try service.send("GET", "/v1/me", token: ""), 401, "token-missing"),
            (try service.send("GET", "/v1/me", token: "x"), 401, "token-unknown"),
            (try service.send("GET", reading, token: ben), 404, "not-found"),
            (try service.send("GET", "/v1/shelfs"), 404, "no-such-route"),
            (try service.send("POST", "/v1/me", "{}"), 405, "method-not-allowed"),
        ]
        for (answer, status, slug) in refusals {
            #expect(answer.status == status && answer["type"]?.string == "/problems/\(slug)", "\(answer.text)")
        }
    }

    @Test("A problem has the id of its request, whoever refused it")
    func identified() throws {
        let service = try TestService()
        let fields = ["X-Request-Id: mine"]
        let refusals = [
            try service.send("GET", "/v1/none", fields: fields),
            try service.send("PATCH", "/v1/books", "{}", fields: fields),
            try service.send("GET", "/v1/me", token: "", fields: fields),
            try service.send("POST", "/v1/readings", "{\"book\":\"\(service.token)\"}", fields: fields),
            try service.send("DELETE", "/v1/books/01890000-0000-7000-8000-000000000001", fields: fields),
        ]
        for answer in refusals {
            #expect(answer.status >= 400 && answer.fields["x-request-id"] == "mine", "\(answer.text)")
            #expect(answer["requestId"]?.string == "mine", "\(answer.text)")
        }
        let unnamed = try service.send("GET", "/v1/none")
        #expect(unnamed["requestId"]?.string == unnamed.fields["x-request-id"])
        let malformed = try Wire(service).answer(
            to: "GET /x y HTTP/1.1\r\nX-Request-Id: mine\r\nConnection: close\r\n\r\n")
        #expect(malformed.contains("\"requestId\":\"mine\""))
    }

    @Test("A 412 has the current state, or says that there is none")
    func preconditionFailed() throws {
        let service = try TestService()
        let path = "/v1/books/" + (try service.make("/v1/books", "{\"title\":\"Kindred\"}"))
        let there = try service.send("GET", path)
        let before = try service.head()
        let stale = ["If-Match: \"00000000-1\""]
        for (method, body) in [("PATCH", "{\"title\":\"Dawn\"}"), ("PUT", "{\"title\":\"Dawn\"}"), ("DELETE", nil)] {
            let answer = try service.send(method, path, body, fields: stale)
            #expect(answer.status == 412 && answer["type"]?.string == "/problems/precondition-failed")
            #expect(answer.etag == there.etag && !answer.etag.isEmpty)
            #expect(answer.text.hasSuffix(",\"current\":\(there.text)}"), "\(answer.text)")
        }
        let absent = try service.send(
            "PUT", "/v1/books/01890000-0000-7000-8000-000000000001", "{\"title\":\"Dawn\"}", fields: stale)
        #expect(absent.status == 412 && absent.etag.isEmpty && absent["current"] == nil)
        #expect(try service.events(after: before).isEmpty)
    }

    @Test("A 412 shows nobody a state that they may not see")
    func preconditionFailedUnseen() throws {
        let service = try TestService()
        let ben = try service.reader("Ben")
        let book = try service.make("/v1/books", "{\"title\":\"Kindred\"}")
        let reading = try service.make("/v1/readings", "{\"book\":\"\(book)\"}")
        let note = try service.make("/v1/notes", "{\"book\":\"\(book)\",\"body\":\"mine\"}")
        let club = try service.make("/v1/clubs", "{\"name\":\"Tuesdays\"}")
        for path in ["/v1/readings/\(reading)", "/v1/notes/\(note)", "/v1/clubs/\(club)"] {
            let answer = try service.send("DELETE", path, token: ben, fields: ["If-Match: \"00000000-1\""])
            #expect(answer.status == 404 && answer.etag.isEmpty && answer["current"] == nil)
        }
    }
}

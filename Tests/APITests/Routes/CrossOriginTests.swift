import Foundation
import HTTPServer
import JSON
import SharedByTests
import Testing

@testable import API

/// Tests with pages of other origins, and with the server's own.
@Suite("Browsers", .serialized, .ownThreads)
struct CrossOriginTests {
    private static let origin = "https://app.example"

    private func service() throws -> TestService { try TestService { $0.origins = [try! WebOrigin(Self.origin)] } }

    /// Returns the head of a response to a request that closes its connection.
    private func head(_ service: TestService, _ request: String, _ fields: [String], _ body: String = "") throws
        -> String
    {
        var text = "\(request) HTTP/1.1\r\nHost: test\r\nConnection: close\r\n"
        for field in fields { text += field + "\r\n" }
        if !body.isEmpty { text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
        let answer = try Wire(service).answer(to: text + "\r\n" + body)
        return answer.components(separatedBy: "\r\n\r\n")[0] + "\r\n"
    }

    @Test("A page of an allowed origin may read its token's responses, also refusals and streams; other pages nothing")
    func answers() throws {
        let service = try service()
        let path = "/v1/books/" + (try service.make("/v1/books", "{\"title\":\"Kindred\"}"))
        let etag = try service.send("GET", path).etag
        let token = "Authorization: Bearer \(service.token)"
        let rows: [(String, [String], String, Int)] = [
            ("GET \(path)", [token], "", 200), ("HEAD \(path)", [token], "", 200),
            ("GET \(path)", [token, "If-None-Match: \(etag)"], "", 304), ("GET /v1/books", [token], "", 200),
            ("POST /v1/books", [token], "{\"title\":\"Dawn\"}", 201), ("POST /v1/books", [token], "{}", 422),
            ("PATCH \(path)", [token, "If-Match: \"00000000-1\""], "{\"title\":\"Dawn\"}", 412),
            ("GET \(path)", [], "", 401), ("GET /v1/nothing", [], "", 404), ("DELETE /v1/books", [token], "", 405),
            ("OPTIONS \(path)", [], "", 204), ("OPTIONS *", [], "", 204), ("BREW \(path)", [token], "", 501),
            ("GET /v1/books?colour=red", [token], "", 400), ("GET \(path)", [token, "Accept: text/html"], "", 406),
            ("GET /openapi.yaml", [], "", 200), ("GET /healthz", [], "", 200), ("GET /x y", [], "", 400),
            ("HEAD /v1/changes", [token, "Accept: text/event-stream"], "", 200),
        ]
        for (request, fields, body, status) in rows {
            let allowed = try head(service, request, fields + ["Origin: \(Self.origin)"], body)
            #expect(allowed.hasPrefix("HTTP/1.1 \(status) "), "\(request): \(allowed)")
            #expect(allowed.contains("\r\nAccess-Control-Allow-Origin: \(Self.origin)\r\n"), "\(request)")
            #expect(
                allowed.contains("\r\nAccess-Control-Expose-Headers: ETag, Link, Location, Retry-After, "), "\(request)"
            )
            #expect(!allowed.contains("Access-Control-Allow-Credentials"), "\(request)")
            for other in [["Origin: https://evil.example"], ["Origin: null"], []] {
                // Repeating the request creates a similar resource, or none: the status is the same.
                let refused = try head(service, request, fields + other, body)
                #expect(refused.hasPrefix("HTTP/1.1 \(status) ") && !refused.contains("Access-Control"), "\(request)")
                #expect(refused.contains("\r\nVary: Origin\r\n"), "\(request): \(refused)")
            }
        }
        let stream = try Wire(service).head(
            "GET \(path) HTTP/1.1\r\nHost: test\r\n\(token)\r\nAccept: text/event-stream\r\nOrigin: \(Self.origin)\r\n\r\n"
        )
        #expect(stream.contains("\r\nAccess-Control-Allow-Origin: \(Self.origin)\r\n"), "\(stream)")
        #expect(stream.contains("\r\nReferrer-Policy: no-referrer\r\n"), "\(stream)")
    }

    @Test("A preflight of each path lists its methods without a token, and can be cached")
    func preflights() throws {
        let service = try service()
        for path in Set(Route.all.map { "\($0.path)" }) {
            let asked = path.replacing("{", with: "").replacing("}", with: "")
            let preflight = ["Access-Control-Request-Method: PATCH", "Access-Control-Request-Headers: if-match"]
            let answer = try head(service, "OPTIONS \(asked)", preflight + ["Origin: \(Self.origin)"])
            #expect(answer.hasPrefix("HTTP/1.1 204 "), "\(path): \(answer)")
            let lines = answer.split(separator: "\r\n")
            let allow = try #require(lines.first { $0.hasPrefix("Allow: ") }).dropFirst(7)
            #expect(lines.contains("Access-Control-Allow-Methods: \(allow)"), "\(path)")
            #expect(lines.contains("Access-Control-Max-Age: 7200"), "\(path)")
            let taken =
                "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, Prefer, X-Request-Id"
            #expect(lines.contains("Access-Control-Allow-Headers: \(taken)"), "\(path)")
            let evil = try head(service, "OPTIONS \(asked)", preflight + ["Origin: https://evil.example"])
            #expect(evil.hasPrefix("HTTP/1.1 204 ") && !evil.contains("Access-Control"), "\(path)")
            let plain = try head(service, "OPTIONS \(asked)", ["Origin: \(Self.origin)"])
            #expect(!plain.contains("Access-Control-Allow-Methods"), "\(path)")
        }
        let none = try head(
            service, "OPTIONS /v1/nothing", ["Access-Control-Request-Method: GET", "Origin: \(Self.origin)"])
        #expect(none.hasPrefix("HTTP/1.1 404 "))
    }

    @Test(
        "Every header field of a response is exposed to pages of other origins, or on the list of those that need not be"
    )
    func exposed() throws {
        let safelisted: Set = ["Cache-Control", "Content-Type", "Content-Length"]
        // Fields that pages do not need, or whose meaning the status already has.
        let unneeded: Set = [
            "Accept", "Allow", "Vary", "WWW-Authenticate", "X-Accel-Buffering", "Referrer-Policy",
            "Set-Cookie", "Content-Security-Policy", "X-Frame-Options", "Content-Disposition",
        ]
        // The server itself writes this field in every head.
        var written: Set<String> = ["X-Request-Id"]
        for file in try ModuleTests.sources("Sources/API") + ModuleTests.sources("Sources/HTTPServer") {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /field\(\s*"([A-Z][A-Za-z-]*)"/) { written.insert(String(match.1)) }
        }
        written = written.filter { !$0.hasPrefix("Access-Control-") }
        #expect(written.subtracting(safelisted).subtracting(unneeded).sorted() == CrossOriginRules.exposed.sorted())
        let contract = try String(contentsOf: ModuleTests.root.appending(path: "openapi.yaml"), encoding: .utf8)
        for name in CrossOriginRules.exposed { #expect(contract.contains("`\(name)`"), "\(name)") }
    }

    @Test("A server without origins treats a preflight like any OPTIONS")
    func off() throws {
        let service = try TestService()
        let answer = try head(
            service, "OPTIONS /v1/books", ["Access-Control-Request-Method: GET", "Origin: \(Self.origin)"])
        #expect(answer.hasPrefix("HTTP/1.1 204 ") && !answer.contains("Access-Control") && !answer.contains("Vary"))
    }

    @Test("A stopping server refuses new streams with Retry-After, and lets no poll wait")
    func draining() throws {
        let service = try TestService { $0.loops = 1 }
        let watcher = try Watcher(service, "/v1/changes")
        #expect(watcher.wait(count: 1))
        let stream = try TestStream(service, "{\"books\":\"/v1/books\"}")
        let requests = [
            "/v1/changes HTTP/1.1\r\nAuthorization: Bearer \(service.token)", "\(stream.url) HTTP/1.1",
        ]
        let begun = try requests.map { request in
            let wire = try Wire(service)
            wire.send("GET \(request)\r\nHost: test\r\nAccept: text/event-stream\r\n")
            return wire
        }
        let poll = try Wire(service)
        poll.send(
            "GET /v1/changes HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer \(service.token)\r\nPrefer: wait=60\r\n")
        // The stream has delivered everything so far, and later requests are answered.
        #expect(try service.send("GET", "/healthz", token: "").status == 200)
        service.drain(deadlineSeconds: 20)
        #expect(watcher.wait { $0.isEnded } && watcher.isComplete)
        #expect(poll.answer(to: "\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"))
        for wire in begun {
            let answer = wire.answer(to: "\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(answer)")
            #expect(answer.contains("\r\nContent-Type: text/event-stream\r\n"), "\(answer)")
            #expect(answer.contains("\r\n\r\nretry: ") && answer.hasSuffix("\n: the server is stopping\n"), "\(answer)")
        }
    }

    @Test("A page with too many streams gets Retry-After, and one with an unknown token a final refusal")
    func tooMany() throws {
        let service = try TestService { $0.openStreamsPerTokenMax = 1 }
        let ben = try service.reader("Ben")
        let stream = try TestStream(service, "{\"all\":\"/v1/changes\"}", token: ben)
        let watcher = try Watcher(service, "/v1/changes", token: ben)
        #expect(watcher.wait(count: 1))
        func answer(_ path: String) throws -> Answer {
            try service.send("GET", path, token: "", fields: ["Accept: text/event-stream"])
        }
        let empty = try answer(stream.url)
        #expect(empty.status == 200 && empty.fields["content-type"] == "text/event-stream")
        let line = try #require(empty.text.split(separator: "\n").first)
        let milliseconds = try #require(Int(line.dropFirst(7)))
        #expect(
            (5000...8000).contains(milliseconds)
                && empty.text.contains("\n: {\"type\":\"/problems/too-many-requests\","))
        #expect(try answer("/v1/streams/\(stream.id)/events?secret=none").status == 404)
        #expect(try answer("/v1/changes").status == 401)
        let status = try service.send("GET", "/v1/changes", token: ben, fields: ["Accept: text/event-stream"]).status
        #expect(status == 429)
    }
}

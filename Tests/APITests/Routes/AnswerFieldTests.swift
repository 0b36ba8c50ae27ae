import API
import JSON
import Testing

@Suite("Header fields for caches and clients")
struct AnswerFieldTests {
    @Test("Untouched settings have an entity tag for each reader, which If-Match accepts")
    func settings() throws {
        let service = try TestService()
        let (ada, ben) = (try service.reader("Ada"), try service.reader("Ben"))
        let tags = try [ada, ben].map { try service.send("GET", "/v1/settings", token: $0).etag }
        #expect(tags[0] != tags[1] && !tags[0].isEmpty)
        func get(_ token: String, _ tag: String) throws -> Int {
            try service.send("GET", "/v1/settings", token: token, fields: ["If-None-Match: \(tag)"]).status
        }
        #expect(try get(ada, tags[0]) == 304 && get(ben, tags[1]) == 304 && get(ben, tags[0]) == 200)
        func patch(_ body: String, _ tag: String) throws -> Answer {
            try service.send("PATCH", "/v1/settings", body, token: ada, fields: ["If-Match: \(tag)"])
        }
        let missed = try patch("{\"presence\":true}", tags[1])
        #expect(missed.status == 412 && missed.etag == tags[0])
        let unchanged = try patch("{\"presence\":false}", tags[0])
        #expect(unchanged.status == 200 && unchanged.etag == tags[0])
        // A tag made from the version is accepted, too, as the contract says for all other resources.
        let made = "\"\(tags[0].dropFirst().prefix { $0 != "-" })-0\""
        #expect(try patch("{\"presence\":true}", made).status == 200)
        #expect(try patch("{\"presence\":false}", tags[0]).status == 412)
    }

    @Test("An unknown address is 404: a page for a browser, a problem for a program")
    func unknownAddress() throws {
        let service = try TestService()
        let html = ["Accept: text/html,application/xhtml+xml,*/*;q=0.8"]
        for path in ["/bokks", "/v1/bokks", "/pages/reader/nothing.js"] {
            let problem = try service.send("GET", path, token: "")
            #expect(problem.status == 404 && problem["type"]?.string == "/problems/no-such-route", "\(path)")
        }
        for (path, status) in [("/bokks", 404), ("/v1/bokks", 404), ("/books", 200), ("/pages/reader/index.html", 200)]
        {
            let page = try service.send("GET", path, token: "", fields: html)
            #expect(page.status == status && page.text.hasPrefix("<!doctype html>"), "\(path) \(page.text.prefix(99))")
            #expect(page.etag.isEmpty == (status == 404) && page.fields["vary"] == "Accept", "\(path)")
        }
        #expect(try service.send("POST", "/bokks", token: "", fields: html).status == 404)
    }

    @Test("Responses to a cookie have Vary: Cookie, also streams, refusals and responses of the writer")
    func cookies() throws {
        let scenario = try AccountScenario()
        _ = try scenario.register("Ben")
        let own = [try scenario.cookie("Ben"), "Origin: \(scenario.origin)"]
        func vary(_ method: String, _ path: String, _ body: String? = nil, _ more: [String] = []) throws -> String? {
            let answer = try scenario.service.send(method, path, body, token: "", fields: own + more)
            return answer.fields["vary"]
        }
        #expect(try vary("GET", "/v1/me")?.contains("Cookie") == true)
        #expect(try vary("GET", "/v1/books")?.contains("Cookie") == true)
        #expect(try vary("GET", "/v1/books/\(OwnIDTests.id)")?.contains("Cookie") == true)
        #expect(try vary("PATCH", "/v1/settings", "{\"presence\":true}")?.contains("Cookie") == true)
        for (status, fields) in [
            (401, ["\(own[0].dropLast(4))none", own[1]]), (403, [own[0], "Origin: https://evil.example"]),
        ] {
            let refused = try scenario.service.send(
                "PATCH", "/v1/settings", "{\"presence\":true}", token: "", fields: fields)
            #expect(refused.status == status, "\(refused.text)")
            for name in ["Cookie", "Accept", "Authorization"] {
                #expect(refused.fields["vary"]?.contains(name) == true, "\(status): \(refused.fields)")
            }
        }
        let byToken = try scenario.service.send("GET", "/v1/me", token: try scenario.token("Ben"))
        #expect(byToken.fields["vary"]?.contains("Cookie") == false)
    }

    @Test("A refused token gets invalid_token, and a request without one a plain challenge")
    func challenges() throws {
        let service = try TestService()
        let unknown = try service.send("GET", "/v1/me", token: "lectern_none").fields["www-authenticate"]
        #expect(unknown == "Bearer realm=\"lectern\", error=\"invalid_token\"")
        let missing = try service.send("GET", "/v1/me", token: "").fields["www-authenticate"]
        #expect(missing == "Bearer realm=\"lectern\"")
    }
}

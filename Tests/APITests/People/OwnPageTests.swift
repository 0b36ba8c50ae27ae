import API
import HTTPServer
import JSON
import Testing

@Suite("The session cookie")
struct OwnPageTests {
    @Test("The session cookie is hidden from scripts, sent only to its own site, and over TLS only to its own host")
    func attributes() throws {
        let scenario = try AccountScenario { $0.publicOrigin = try! WebOrigin("https://books.example") }
        _ = try scenario.register("Ben")
        let own = ["Origin: https://books.example"]
        let secure = try scenario.signIn("Ben", more: ",\"cookie\":true", fields: own).fields["set-cookie"] ?? ""
        #expect(secure.hasPrefix("__Host-lectern=lectern_"))
        for attribute in ["Path=/", "HttpOnly", "SameSite=Strict", "Secure"] {
            #expect(secure.contains("; \(attribute)"))
        }
        #expect(!secure.contains("Domain"))
        let loopback = try AccountScenario()
        _ = try loopback.register("Ben")
        #expect(try loopback.cookie("Ben").hasPrefix("Cookie: lectern=lectern_"))
    }

    @Test(
        "Browsers sign in over plain HTTP where the public URL says so, and not where nothing is configured",
        arguments: [
            ("127.0.0.1", "https://books.example", "https://books.example", "secure", 201),
            ("127.0.0.1", "https://books.example", "http://192.168.1.5:8080", "secure", 403),
            ("127.0.0.1", "http://192.168.1.5:8080", "http://192.168.1.5:8080", "unencrypted", 201),
            ("0.0.0.0", "http://192.168.1.5:8080", "http://192.168.1.5:8080", "unencrypted", 201),
            ("0.0.0.0", "http://192.168.1.5:8080", "http://192.168.1.6:8080", "unencrypted", 403),
            ("0.0.0.0", "http://localhost:8080", "http://localhost:8080", "secure", 201),
            ("0.0.0.0", nil, "http://192.168.1.5:8080", "unavailable", 403),
        ] as [(String, String?, String, String, Int)])
    func plain(host: String, publicURL: String?, origin: String, browsers: String, status: Int) throws {
        let publicOrigin = try publicURL.map { try WebOrigin($0) }
        let scenario = try AccountScenario(host: host) { $0.publicOrigin = publicOrigin }
        #expect(try scenario.service.send("GET", "/v1/sign-in", token: "")["browsers"]?.string == browsers)
        _ = try scenario.register("Ben")
        let answer = try scenario.signIn("Ben", more: ",\"cookie\":true", fields: ["Origin: \(origin)"])
        #expect(answer.status == status)
        guard status == 201 else {
            #expect(answer["type"]?.string == "/problems/foreign-page")
            let why = browsers == "unencrypted" ? "Sign-in does not work here." : "Sign-in needs HTTPS here."
            #expect(answer["detail"]?.string == "\(why) Open the address that your administrator gave you.")
            return
        }
        let cookie = try #require(answer.fields["set-cookie"])
        let isEncrypted = origin.hasPrefix("https:")
        #expect(cookie.hasPrefix(isEncrypted ? "__Host-lectern=" : "lectern="))
        #expect(cookie.contains("; Secure") == isEncrypted)
        #expect(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Strict"))
        let sent = "Cookie: " + cookie.prefix { $0 != ";" }
        #expect(try scenario.status("PATCH", "/v1/me", "{\"name\":\"B\"}", ["Origin: \(origin)", sent]) == 200)
        #expect(
            try scenario.status("PATCH", "/v1/me", "{\"name\":\"C\"}", ["Origin: http://evil.example", sent]) == 403)
    }

    @Test("No page of another site signs in, signs out or changes anything")
    func hostile() throws {
        let scenario = try AccountScenario()
        _ = try scenario.register("Ben")
        let own = "Origin: \(scenario.origin)"
        let foreign: [[String]] = [
            [], ["Origin: https://evil.example"], ["Origin: null"], ["Origin: \(scenario.origin)0"],
            ["Origin: http://localhost:\(scenario.service.port)"],
            ["Origin: http://evil.example", "Host: evil.example"],
            ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: same-site"], ["Sec-Fetch-Site: none"],
            [own, "Sec-Fetch-Site: cross-site"], [own, "Sec-Fetch-Site: same-site"],
            ["Origin: https://evil.example", "Sec-Fetch-Site: same-origin"],
        ]
        let cookie = try scenario.cookie("Ben")
        let before = try scenario.service.head()
        for fields in foreign {
            let signIn = try scenario.signIn("Ben", more: ",\"cookie\":true", fields: fields)
            #expect(signIn.status == 403 && signIn.fields["set-cookie"] == nil, "\(fields)")
            for (method, path) in [
                ("DELETE", "/v1/sessions"), ("DELETE", "/v1/sessions?all=true"), ("POST", "/v1/books"),
                ("PATCH", "/v1/me"), ("PUT", "/v1/me/password"), ("POST", "/v1/streams"), ("POST", "/v1/batch"),
                ("POST", "/v1/streams"),
            ] {
                let answer = try scenario.service.send(method, path, "{}", token: "", fields: fields + [cookie])
                #expect(
                    answer["type"]?.string == "/problems/foreign-page", "\(method) \(path) \(fields): \(answer.text)")
                // The address is the right one if the browser names another site.
                let isOther = fields.contains { $0.hasSuffix("-site") }
                #expect(answer.text.contains("Another site's page sent this request.") == isOther, "\(answer.text)")
                #expect(answer.text.contains("needs Origin or Sec-Fetch-Site") == fields.isEmpty, "\(answer.text)")
            }
        }
        #expect(try scenario.service.events(after: before) == [])
        for fields in [[own], ["Sec-Fetch-Site: same-origin"], [own, "Sec-Fetch-Site: same-origin"]] {
            #expect(try scenario.status("PATCH", "/v1/me", "{\"name\":\"B\"}", fields + [cookie]) == 200)
        }
        for twice in [[own, "Origin: https://evil.example"], ["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: none"]] {
            #expect(try scenario.status("PATCH", "/v1/me", "{\"name\":\"C\"}", twice + [own, cookie]) == 400)
        }
    }

    @Test("The preview of an invitation ignores the cookie of an ended session, and not an unknown token")
    func endedSession() throws {
        let scenario = try AccountScenario()
        _ = try scenario.register("Ben")
        let fields = [try scenario.cookie("Ben"), "Origin: \(scenario.origin)"]
        let club = try scenario.service.make("/v1/clubs", "{\"name\":\"Tuesdays\"}")
        let invitation = try scenario.service.send("POST", "/v1/clubs/\(club)/invitations", "{}")
        let body = "{\"invitation\":\"\(invitation["code"]?.string ?? "")\"}"
        #expect(try scenario.status("POST", "/v1/links/preview", body, fields) == 200)
        #expect(try scenario.status("DELETE", "/v1/sessions", nil, fields) == 204)
        #expect(try scenario.status("GET", "/v1/me", nil, fields) == 401)
        #expect(try scenario.status("POST", "/v1/links/preview", body, fields) == 200)
        #expect(try scenario.service.send("POST", "/v1/links/preview", body, token: "unknown").status == 401)
        let wrong = try scenario.service.send("POST", "/v1/links/preview", "{\"invitation\":5}", token: "")
        #expect(wrong.pointers == ["/invitation"])
    }

    @Test("A response to a cookie is only for the server's own pages, and not cached for others")
    func reading() throws {
        let scenario = try AccountScenario()
        _ = try scenario.register("Ben")
        let cookie = try scenario.cookie("Ben")
        let rows: [([String], Int)] = [
            ([], 200), (["Sec-Fetch-Site: same-origin"], 200), (["Sec-Fetch-Site: none"], 200),
            (["Sec-Fetch-Site: same-site"], 403), (["Sec-Fetch-Site: cross-site"], 403),
            (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"], 200),
            (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"], 403),
            (["Origin: https://evil.example"], 403), (["Origin: \(scenario.origin)"], 200),
        ]
        for (fields, status) in rows {
            let answer = try scenario.service.send("GET", "/v1/me", token: "", fields: fields + [cookie])
            #expect(answer.status == status, "\(fields)")
            #expect(answer.text.contains("Another site's page sent this request.") == (status == 403))
            #expect(answer.fields["access-control-allow-credentials"] == nil)
        }
    }

    @Test("A token takes precedence over the cookie, and a token that is not valid is not replaced by it")
    func both() throws {
        let scenario = try AccountScenario()
        _ = try scenario.register("Ben")
        let cookie = try scenario.cookie("Ben")
        let admin = try scenario.service.send("GET", "/v1/me", fields: [cookie])
        #expect(admin["role"]?.string == "administrator")
        // A client with a token needs no page.
        #expect(try scenario.service.send("POST", "/v1/books", "{\"title\":\"Dawn\"}", fields: [cookie]).status == 201)
        #expect(try scenario.service.send("GET", "/v1/me", token: "wrong", fields: [cookie]).status == 401)
        #expect(try scenario.status("GET", "/v1/me", nil, ["Cookie: lectern=\(scenario.service.token)"]) == 401)
        #expect(try scenario.status("GET", "/v1/me", nil, ["Cookie: lectern="]) == 401)
        #expect(try scenario.status("GET", "/v1/me", nil, [cookie + "; " + cookie.dropFirst(8)]) == 401)
        #expect(try scenario.status("GET", "/v1/me", nil, ["Cookie: a=b; " + cookie.dropFirst(8) + "; c"]) == 200)
        #expect(try scenario.status("GET", "/v1/me", nil, ["Cookie: x" + cookie.dropFirst(8)]) == 401)
        let secure = try AccountScenario { $0.publicOrigin = try! WebOrigin("https://books.example") }
        #expect(try secure.status("GET", "/v1/me", nil, [cookie]) == 401)
    }

    @Test("An EventSource with the session cookie gets events until its session ends")
    func streams() throws {
        let scenario = try AccountScenario()
        _ = try scenario.register("Ben")
        let cookie = try scenario.cookie("Ben")
        let wire = try Wire(scenario.service)
        wire.send(
            "GET /v1/me HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nSec-Fetch-Site: same-origin\r\n\(cookie)\r\n\r\n"
        )
        #expect(wire.read(until: "\n\n\r\n").contains("event: snapshot"))
        let own = "Origin: \(scenario.origin)"
        #expect(try scenario.status("PATCH", "/v1/me", "{\"name\":\"Benedict\"}", [own, cookie]) == 200)
        #expect(wire.read(until: "\n\n\r\n").contains("Benedict"))
        let out = try scenario.service.send("DELETE", "/v1/sessions", token: "", fields: [own, cookie])
        #expect(out.status == 204 && out.fields["set-cookie"]?.contains("lectern=; Max-Age=0") == true)
        #expect(wire.read(until: "\u{0}").hasSuffix("0\r\n\r\n"))
        #expect(try scenario.status("GET", "/v1/me", nil, [cookie]) == 401)
    }

    @Test("A browser that signs in again has one session, and another site cannot choose it")
    func again() throws {
        let scenario = try AccountScenario()
        let token = try #require(try scenario.register("Ben")["token"]?.string)
        let first = try scenario.cookie("Ben")
        let answer = try scenario.signIn(
            "Ben", more: ",\"cookie\":true", fields: ["Origin: \(scenario.origin)", first])
        #expect(answer.fields["set-cookie"].map { !first.hasSuffix($0.prefix { $0 != ";" }) } == true)
        #expect(try scenario.status("GET", "/v1/me", nil, [first]) == 401)
        #expect(
            try scenario.service.send("GET", "/v1/tokens?sessions=true", token: token)["items"]?.elements.map { $0 }
                .count == 2)
    }
}

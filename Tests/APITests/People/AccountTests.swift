import API
import FoundationEssentials
import HTTPServer
import JSON
import Store
import Testing

@Suite("Registration and sign-in")
struct AccountTests {
    @Test("An invitation's link registers one person, who is signed in at once and can sign in again")
    func invitation() throws {
        let scenario = try AccountScenario { $0.registration = .invited }
        #expect(try scenario.register("Ben").pointers == ["/link"])
        let link = try scenario.link()
        #expect(link.hasPrefix("invitation_"))
        let ben = try scenario.register(
            "Ben", more: ",\"link\":\"\(link)\",\"readerName\":\"Ben B.\",\"device\":\"phone\"")
        #expect(ben.status == 201 && ben["name"]?.string == "phone", "\(ben.text)")
        let token = try #require(ben["token"]?.string)
        let me = try scenario.service.send("GET", "/v1/me", token: token)
        #expect(me["name"]?.string == "Ben B." && me["role"]?.string == "reader")
        #expect(try scenario.register("Eve", more: ",\"link\":\"\(link)\"").pointers == ["/link"])
        let again = try scenario.signIn("BEN")
        #expect(again.status == 201 && again["token"]?.string != token)
        #expect(again.fields["cache-control"] == "no-store")
        #expect(again.fields["location"] == "/v1/tokens/\(again["id"]?.string ?? "")")
    }

    @Test("A moderator's link admits to the club, and a member cannot create one")
    func club() throws {
        let scenario = try AccountScenario {
            $0.registration = .invited
            $0.linkMakers = .readers
        }
        let ada = try scenario.service.reader("Ada")
        let club = try scenario.service.make("/v1/clubs", "{\"name\":\"Tuesdays\"}", token: ada)
        let link = try scenario.link("{\"club\":\"\(club)\"}", token: ada)
        let ben = try #require(try scenario.register("Ben", more: ",\"link\":\"\(link)\"")["token"]?.string)
        #expect(try scenario.service.send("GET", "/v1/clubs/\(club)", token: ben).status == 200)
        #expect(try scenario.service.send("POST", "/v1/links", "{\"club\":\"\(club)\"}", token: ben).status == 403)
        #expect(try scenario.service.send("POST", "/v1/links", "{}", token: ada).status == 403)
    }

    @Test("An administrator's registration links end with the role and stay closed; links into a club stay valid")
    func demotedMaker() throws {
        let scenario = try AccountScenario { $0.registration = .invited }
        let ada = try scenario.service.make("/v1/readers", "{\"name\":\"Ada\",\"role\":\"administrator\"}")
        let answer = try scenario.service.send("POST", "/v1/tokens", "{\"name\":\"t\",\"reader\":\"\(ada)\"}")
        let token = try #require(answer["token"]?.string)
        let club = try scenario.service.make("/v1/clubs", "{\"name\":\"Tuesdays\"}", token: token)
        let link = try scenario.link(token: token)
        let intoClub = try scenario.link("{\"club\":\"\(club)\"}", token: token)
        for role in ["reader", "administrator"] {
            let changed = try scenario.service.send("PATCH", "/v1/readers/\(ada)", "{\"role\":\"\(role)\"}")
            #expect(changed.status == 200)
            #expect(try scenario.register("Ben", more: ",\"link\":\"\(link)\"").pointers == ["/link"])
        }
        #expect(try scenario.register("Ben", more: ",\"link\":\"\(intoClub)\"").status == 201)
    }

    @Test("A link's URL begins with the public URL or the listening address, whatever Host the request has")
    func urls() throws {
        let scenario = try AccountScenario { $0.publicOrigin = try! WebOrigin("https://books.example") }
        let answer = try scenario.service.send("POST", "/v1/links", "{}", fields: ["Host: evil.example"])
        #expect(answer["url"]?.string?.hasPrefix("https://books.example/sign-in#invitation_") == true)
        let bare = try AccountScenario()
        let local = try bare.service.send("POST", "/v1/links", "{}", fields: ["Host: evil.example"])
        #expect(local["url"]?.string?.hasPrefix("\(bare.origin)/sign-in#invitation_") == true)
        #expect(!(try bare.service.send("GET", "/v1/links").text.contains("invitation_")))
    }

    @Test("A repeated request for a link shows no secret, and none is stored")
    func repeated() throws {
        let scenario = try AccountScenario()
        let key = ["Idempotency-Key: k"]
        let first = try scenario.service.send("POST", "/v1/links", "{}", fields: key)
        let again = try scenario.service.send("POST", "/v1/links", "{}", fields: key)
        #expect(first["id"]?.string == again["id"]?.string && first["url"] != nil && again["url"] == nil)
    }

    @Test("No request with a password is stored under an Idempotency-Key")
    func unkept() throws {
        let scenario = try AccountScenario()
        let key = ["Idempotency-Key: k"]
        _ = try scenario.register("Ben")
        let token = try scenario.token("Ben")
        for _ in 1...2 { #expect(try scenario.signIn("Ben", fields: key)["token"] != nil) }
        let body = "{\"current\":\"a rope of sand\",\"password\":\"another rope\"}"
        #expect(try scenario.service.send("PUT", "/v1/me/password", body, token: token, fields: key).status == 201)
        try scenario.service.execute(
            "CREATE TEMP TABLE t (n CHECK (n = 0)); INSERT INTO t SELECT count(*) FROM idempotency_keys")
    }

    @Test("Closed registration admits nobody, and a name belongs to one reader")
    func modes() throws {
        let closed = try AccountScenario { $0.registration = .closed }
        #expect(try closed.register("Ben").status == 403)
        #expect(try closed.service.send("POST", "/v1/links", "{}").status == 403)
        let open = try AccountScenario()
        #expect(try open.register("Zo\u{EB}").status == 201)
        let taken = try open.register("ZOE\u{308}")
        #expect(taken.status == 409 && taken["type"]?.string == "/problems/name-taken")
        #expect(try open.register("zoe").status == 201)
        #expect(try open.register(" ada").pointers == ["/name"])
        #expect(try open.register("").text.contains("must be 1 to 64 visible characters"))
        #expect(try open.register("ada", "short").pointers == ["/password"])
        #expect(try open.register("adalovelace", "AdaLovelace").pointers == ["/password"])
    }

    @Test("A failed sign-in has the same response, whatever was wrong")
    func sameAnswer() throws {
        let scenario = try AccountScenario()
        _ = try scenario.register("Ben")
        _ = try scenario.service.reader("Cleo")
        let answers = try [
            scenario.signIn("Ben", "wrong"), scenario.signIn("nobody", "wrong"), scenario.signIn("Cleo", "wrong"),
            scenario.signIn("\u{200B}", "wrong"), scenario.signIn("nobody", String(repeating: "x", count: 1024)),
        ].map { answer in
            var fields = answer.fields
            for name in ["date", "x-request-id"] { fields[name] = nil }
            return
                "\(answer.status) \(fields.sorted { $0.key < $1.key }) \(answer["type"]?.string ?? "") \(answer["detail"]?.string ?? "")"
        }
        #expect(Set(answers).count == 1 && answers[0].hasPrefix("401 "), "\(answers)")
    }

    @Test(
        "A changed password ends the sessions and their streams, except for the session that changed it, which gets a new token"
    )
    func change() throws {
        let scenario = try AccountScenario()
        let (service, first) = (scenario.service, try #require(try scenario.register("Ben")["token"]?.string))
        let second = try scenario.token("Ben")
        let own = try #require(
            try service.send("POST", "/v1/tokens", "{\"name\":\"script\"}", token: first)["token"]?.string)
        let watcher = try Watcher(service, "/v1/me", token: second)
        #expect(watcher.wait(count: 1))
        #expect(
            try service.send("PUT", "/v1/me/password", "{\"password\":\"another rope\"}", token: first).pointers == [
                "/current"
            ])
        let wrong = "{\"current\":\"wrong\",\"password\":\"another rope\"}"
        #expect(try service.send("PUT", "/v1/me/password", wrong, token: first).pointers == ["/current"])
        let body = "{\"current\":\"a rope of sand\",\"password\":\"another rope\"}"
        let changed = try service.send("PUT", "/v1/me/password", body, token: first)
        let next = try #require(changed["token"]?.string, "\(changed.text)")
        #expect(try service.send("GET", "/v1/me", token: first).status == 401)
        #expect(try service.send("GET", "/v1/me", token: second).status == 401)
        #expect(try service.send("GET", "/v1/me", token: next).status == 200)
        #expect(try service.send("GET", "/v1/me", token: own).status == 200)
        #expect(watcher.wait { $0.isEnded })
        #expect(try scenario.signIn("Ben").status == 401)
        #expect(try scenario.signIn("Ben", "another rope").status == 201)
    }

    @Test(
        "A read-only token changes no password and creates no link, and an expiring one creates nothing that does not expire"
    )
    func scopes() throws {
        let scenario = try AccountScenario()
        let reading = try scenario.service.reader("Cleo", scope: "read")
        let body = "{\"name\":\"cleo\",\"password\":\"a rope of sand\"}"
        #expect(try scenario.service.send("PUT", "/v1/me/password", body, token: reading).status == 403)
        #expect(try scenario.service.send("POST", "/v1/links", "{}", token: reading).status == 403)
        let id = try #require(try scenario.service.send("GET", "/v1/me", token: reading)["id"]?.string)
        let draft = "{\"name\":\"t\",\"reader\":\"\(id)\",\"expiresAt\":\"2999-01-01T00:00:00Z\"}"
        let ending = try #require(try scenario.service.send("POST", "/v1/tokens", draft)["token"]?.string)
        let refused = try scenario.service.send("PUT", "/v1/me/password", body, token: ending)
        #expect(refused["type"]?.string == "/problems/token-ends", "\(refused.text)")
        let lasting = try #require(
            try scenario.service.send("POST", "/v1/tokens", "{\"name\":\"t\",\"reader\":\"\(id)\"}")["token"]?.string)
        #expect(try scenario.service.send("PUT", "/v1/me/password", body, token: lasting).status == 204)
        #expect(try scenario.signIn("Cleo").status == 201)
    }

    @Test("An administrator's expiring token cannot create an administrator")
    func endingAdministrator() throws {
        let scenario = try AccountScenario()
        let draft = "{\"name\":\"t\",\"expiresAt\":\"2999-01-01T00:00:00Z\"}"
        let ending = try #require(try scenario.service.send("POST", "/v1/tokens", draft)["token"]?.string)
        let id = try #require(
            try scenario.service.send("POST", "/v1/readers", "{\"name\":\"Eve\"}", token: ending)["id"]?.string)
        for (method, path, name) in [("POST", "/v1/readers", "\"name\":\"Eva\","), ("PATCH", "/v1/readers/\(id)", "")] {
            let body = "{\(name)\"role\":\"administrator\"}"
            let refused = try scenario.service.send(method, path, body, token: ending)
            #expect(refused.status == 403 && refused["type"]?.string == "/problems/token-ends", "\(refused.text)")
        }
        #expect(try scenario.service.send("PATCH", "/v1/readers/\(id)", "{\"role\":\"administrator\"}").status == 200)
        #expect(
            try scenario.service.send("PATCH", "/v1/readers/\(id)", "{\"name\":\"Eve II\"}", token: ending).status
                == 200)
    }

    @Test("A reset link sets one password, ends the sessions, and lets a reader without a name choose one")
    func reset() throws {
        let scenario = try AccountScenario()
        let ben = try #require(try scenario.register("Ben")["token"]?.string)
        let id = try #require(try scenario.service.send("GET", "/v1/me", token: ben)["id"]?.string)
        let link = try scenario.link("{\"kind\":\"reset\",\"reader\":\"\(id)\"}")
        let other = try scenario.link("{\"kind\":\"reset\",\"reader\":\"\(id)\"}")
        #expect(try scenario.register("Eve", more: ",\"link\":\"\(link)\"").pointers == ["/link"])
        let body = "{\"link\":\"\(link)\",\"password\":\"another rope\"}"
        let answer = try scenario.service.send("POST", "/v1/password-resets", body, token: "")
        #expect(answer.status == 201 && answer["token"] != nil, "\(answer.text)")
        #expect(try scenario.service.send("GET", "/v1/me", token: ben).status == 401)
        for used in [link, other] {
            let again = "{\"link\":\"\(used)\",\"password\":\"a third rope\"}"
            #expect(try scenario.service.send("POST", "/v1/password-resets", again, token: "").pointers == ["/link"])
        }
        #expect(try scenario.signIn("Ben", "another rope").status == 201)
        let cleo = try scenario.service.make("/v1/readers", "{\"name\":\"Cleo\"}")
        let first = try scenario.link("{\"kind\":\"reset\",\"reader\":\"\(cleo)\"}")
        let nameless = "{\"link\":\"\(first)\",\"password\":\"a fourth rope\"}"
        #expect(try scenario.service.send("POST", "/v1/password-resets", nameless, token: "").pointers == ["/name"])
        let named = "{\"link\":\"\(first)\",\"password\":\"a fourth rope\",\"name\":\"cleo\"}"
        #expect(try scenario.service.send("POST", "/v1/password-resets", named, token: "").status == 201)
    }

    @Test("A reset that ends everything leaves no token, identity, link or calendar, and another reset works")
    func resetOfEverything() throws {
        let scenario = try AccountScenario { $0.linkMakers = .readers }
        let ben = try #require(try scenario.register("Ben")["token"]?.string)
        let id = try #require(try scenario.service.send("GET", "/v1/me", token: ben)["id"]?.string)
        let script = try #require(
            try scenario.service.send("POST", "/v1/tokens", "{\"name\":\"script\"}", token: ben)["token"]?.string)
        let club = try scenario.service.make("/v1/clubs", "{\"name\":\"Tuesdays\"}", token: ben)
        _ = try scenario.link("{\"club\":\"\(club)\"}", token: ben)
        let calendar =
            try scenario.service.send("POST", "/v1/clubs/\(club)/calendars", token: ben)["path"]?.string ?? ""
        try scenario.service.execute(
            "INSERT INTO identities SELECT 'https://id.example', 'eve', key, 0 FROM readers WHERE name = 'Ben'")
        func left() throws -> [Int] {
            let session = try scenario.token("Ben", "another rope")
            func count(_ path: String) throws -> Int {
                try scenario.service.send("GET", path, token: session)["items"]?.elements.reduce(0) { sum, _ in sum + 1
                }
                    ?? -1
            }
            return [
                try scenario.service.send("GET", "/v1/me", token: script).status, try count("/v1/identities"),
                try count("/v1/links"), try scenario.service.send("GET", calendar, token: "").status,
            ]
        }
        for (more, expected) in [("", [200, 1, 1, 200]), (",\"everything\":true", [401, 0, 0, 404])] {
            let link = try scenario.link("{\"kind\":\"reset\",\"reader\":\"\(id)\"}")
            let body = "{\"link\":\"\(link)\",\"password\":\"another rope\"\(more)}"
            let answer = try scenario.service.send("POST", "/v1/password-resets", body, token: "")
            #expect(answer.status == 201, "\(answer.text)")
            #expect(try scenario.service.send("GET", "/v1/me", token: answer["token"]?.string).status == 200)
            #expect(try left() == expected)
        }
    }

    @Test("The body that the page sends for a reset is accepted, and names a reader who has no name yet")
    func resetForm() throws {
        let scenario = try AccountScenario()
        let cleo = try scenario.service.make("/v1/readers", "{\"name\":\"Cleo\"}")
        let link = try scenario.link("{\"kind\":\"reset\",\"reader\":\"\(cleo)\"}")
        let given =
            "{\"name\":\"cleo\",\"password\":\"a rope of sand\",\"device\":\"d\",\"link\":\"\(link)\",\"cookie\":true,\"everything\":true}"
        let answer = try scenario.service.send(
            "POST", "/v1/password-resets", given, token: "", fields: ["Origin: \(scenario.origin)"])
        #expect(answer.status == 201 && answer.fields["set-cookie"] != nil, "\(answer.text)")
        #expect(try scenario.signIn("cleo").status == 201)
    }

    @Test("A signed-in reader sees their sessions, and signs out of one or all")
    func devices() throws {
        let scenario = try AccountScenario()
        let first = try #require(try scenario.register("Ben", more: ",\"device\":\"phone\"")["token"]?.string)
        let second = try #require(try scenario.signIn("Ben", more: ",\"device\":\"desk\"")["token"]?.string)
        let devices = try scenario.service.send("GET", "/v1/tokens?sessions=true", token: first)
        #expect(devices["items"]?.elements.compactMap { $0["name"]?.string } == ["desk", "phone"])
        #expect(devices["items"]?.elements.allSatisfy { $0["lastUsedOn"]?.string != nil } == true)
        for (token, name) in [(first, "phone"), (second, "desk")] {
            let marked = try scenario.service.send("GET", "/v1/tokens?sessions=true", token: token)["items"]?.elements
                .filter {
                    $0["isCurrent"]?.bool == true
                }
            #expect(marked?.map { $0["name"]?.string } == [name])
        }
        let watcher = try Watcher(scenario.service, "/v1/tokens?sessions=true", token: first)
        #expect(watcher.wait(count: 1) && watcher.events[0].data.contains("\"isCurrent\":true"))
        let made = try scenario.service.send("POST", "/v1/tokens", "{\"name\":\"script\"}", token: first)["token"]?
            .string
        let script = try #require(made)
        let seen = try scenario.service.send("GET", "/v1/tokens?sessions=true", token: script)["items"]?.elements.map {
            $0["isCurrent"]
        }
        #expect(seen?.map { $0?.bool } == [false, false])
        #expect(try scenario.service.send("DELETE", "/v1/sessions", token: second).status == 204)
        #expect(try scenario.service.send("GET", "/v1/me", token: first).status == 200)
        #expect(try scenario.service.send("GET", "/v1/me", token: second).status == 401)
        let third = try scenario.token("Ben")
        // A token that no sign-in made is no session, and ends all the same those that are.
        #expect(try scenario.service.send("DELETE", "/v1/sessions", token: script).status == 404)
        #expect(try scenario.service.send("DELETE", "/v1/sessions?all=true", token: script).status == 204)
        for token in [first, third] { #expect(try scenario.service.send("GET", "/v1/me", token: token).status == 401) }
        #expect(try scenario.service.send("GET", "/v1/me", token: script).status == 200)
    }

    @Test("A session that is unused for ninety days ends")
    func idle() throws {
        let scenario = try AccountScenario()
        let token = try #require(try scenario.register("Ben")["token"]?.string)
        let used = "UPDATE tokens SET last_used_day = last_used_day -"
        try scenario.service.execute("\(used) 89 WHERE is_session")
        try scenario.service.restart { $0.accounts.passwordMebibytes = 1 }
        #expect(try scenario.service.send("GET", "/v1/me", token: token).status == 200)
        scenario.service.stop()
        try scenario.service.execute("UPDATE tokens SET last_used_day = last_used_day - 91 WHERE is_session")
        try scenario.service.restart { $0.accounts.passwordMebibytes = 1 }
        #expect(try scenario.service.send("GET", "/v1/me", token: token)["type"]?.string == "/problems/token-expired")
    }

    @Test("A session ends a year after the sign-in, however much it is used, with its streams")
    func absoluteEnd() throws {
        let scenario = try AccountScenario()
        let token = try #require(try scenario.register("Ben")["token"]?.string)
        let script = try scenario.service.send("POST", "/v1/tokens", "{\"name\":\"script\"}", token: token)["token"]?
            .string
        let begun = "UPDATE tokens SET created_at = created_at - 86400000 *"
        scenario.service.stop()
        try scenario.service.execute("\(begun) 364")
        try scenario.service.restart { $0.accounts.passwordMebibytes = 1 }
        let stream = try TestStream(scenario.service, "{\"me\":\"/v1/me\"}", token: token)
        let watcher = try Watcher(scenario.service, "/v1/me", token: token)
        #expect(watcher.wait(count: 1))
        scenario.service.stop()
        try scenario.service.execute("\(begun) 2")
        try scenario.service.restart { $0.accounts.passwordMebibytes = 1 }
        let ended = try scenario.service.send("GET", "/v1/me", token: token)
        #expect(ended.status == 401 && ended["type"]?.string == "/problems/token-expired")
        #expect(
            ended.fields["www-authenticate"]?.contains("error=\"invalid_token\"") == true, "\(ended.fields)")
        #expect(try scenario.service.send("GET", stream.url, token: "").status == 204)
        #expect(try scenario.service.send("GET", "/v1/me", token: script).status == 200)
        // The value that the check compares with the log is unchanged.
        scenario.service.stop()
        try scenario.service.execute("UPDATE tokens SET created_at = created_at + 86400000 * 366")
    }

    @Test("A password's hash is in no response, log change or event")
    func discretion() throws {
        let scenario = try AccountScenario()
        let token = try #require(try scenario.register("Ben", "a rope of sand")["token"]?.string)
        for path in ["/v1/changes?after=", "/v1/tokens", "/v1/tokens?sessions=true", "/v1/me", "/v1/readers"] {
            for who in [token, scenario.service.token] {
                let text = try scenario.service.send("GET", path, token: who).text
                #expect(!text.contains("$y$") && !text.contains(token) && !text.contains("a rope"))
            }
        }
    }
}

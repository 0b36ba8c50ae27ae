import FoundationEssentials
import HTTPServer
import JSON
import Passwords
import SharedByTests
import Store
import Testing

@testable import API

/// Tests of sign-in by an identity provider, over sockets.
@Suite("Identities", .serialized, .ownThreads)
struct IdentityTests {
    @Test("A reader who returns from the provider gets a session, and is the same reader the next time")
    func signIn() throws {
        let trial = try SignInTrial()
        let before = try trial.count()
        let first = try trial.signIn()
        #expect(first.status == 303 && first.values("Location") == ["/sign-in"], "\(first.text)")
        let cookies = first.values("Set-Cookie")
        #expect(cookies.contains { $0.hasPrefix("__Host-lectern-attempt=;") && $0.contains("Max-Age=0") }, "\(cookies)")
        let cookie = try #require(cookies.first { $0.hasPrefix("__Host-lectern=") })
        for word in ["; HttpOnly", "; Secure", "; SameSite=Strict", "; Path=/"] {
            #expect(cookie.contains(word), "\(cookie)")
        }
        let session = try #require(first.session)
        let me = try trial.service.send("GET", "/v1/me", token: session)
        #expect(me["name"]?.string == "Ada u1" && me["role"]?.string == "reader", "\(me.text)")
        let again = try trial.session()
        #expect(again != session, "Each sign-in has a session of its own.")
        #expect(try trial.service.send("GET", "/v1/me", token: again)["id"]?.string == me["id"]?.string)
        #expect(try trial.count() == [before[0] + 1, before[1] + 2])
        let listed = try trial.service.send("GET", "/v1/identities", token: again)["items"]?.elements.map { $0 } ?? []
        #expect(
            listed.count == 1 && listed[0]["subject"]?.string == "u1"
                && listed[0]["issuer"]?.string == trial.provider.issuer)
    }

    @Test("An unknown identity registers with an invitation, which is used up, and not without one")
    func invited() throws {
        let trial = try SignInTrial(.invited)
        let before = try trial.count()
        let refused = try trial.signIn()
        #expect(refused.status == 403 && refused.text.contains("/problems/identity-unknown") && refused.session == nil)
        let wrong = try trial.signIn(link: "none")
        #expect(wrong.status == 422 && wrong.session == nil, "\(wrong.text)")
        #expect(try trial.count() == before)
        let made = try trial.service.send("POST", "/v1/links", "{\"kind\":\"invitation\"}")
        let link = try #require(made["url"]?.string?.components(separatedBy: "/sign-in#").last, "\(made.text)")
        #expect(try trial.signIn(link: link).session != nil)
        #expect(try trial.signIn().session != nil, "Who is known needs none.")
        trial.provider.play(.claims([:]), subject: "u2")
        #expect(try trial.signIn(link: link).status == 422)
        #expect(try trial.count() == [before[0] + 1, before[1] + 2])
    }

    @Test("With closed registration a known identity can still sign in")
    func closed() throws {
        let trial = try SignInTrial()
        #expect(try trial.signIn().session != nil)
        let settings = try trial.provider.settings()
        try trial.service.restart {
            $0.accounts.registration = .closed
            $0.accounts.publicOrigin = try! WebOrigin("https://lectern.example")
            $0.accounts.provider = settings
        }
        #expect(try trial.signIn().session != nil)
        trial.provider.play(.claims([:]), subject: "u2")
        #expect(try trial.signIn().text.contains("/problems/registration-closed"))
    }

    @Test("A reader is identified by issuer and subject, not by an address or a name")
    func neverByAddress() throws {
        let trial = try SignInTrial()
        let first = try trial.service.send("GET", "/v1/me", token: try trial.session())
        trial.provider.play(.claims(["name": "\"Ada u1\""]), subject: "u2")
        let other = try trial.service.send("GET", "/v1/me", token: try trial.session())
        #expect(other["name"]?.string == "Ada u1" && other["id"]?.string != first["id"]?.string)
        trial.provider.play(.claims(["name": "\"\\u0000 \\n\""]), subject: "u3")
        let nameless = try trial.service.send("GET", "/v1/me", token: try trial.session())
        #expect(nameless["name"]?.string == "Reader")
    }

    @Test(
        "A signed-in reader connects an identity for themselves only, and cannot disconnect the last way to sign in"
    )
    func connecting() throws {
        let trial = try SignInTrial()
        let ada = try trial.session()
        trial.provider.play(.claims([:]), subject: "u2")
        let connected = try trial.arrive(trial.depart(path: "/v1/identities", token: ada))
        #expect(connected.status == 303 && connected.session == nil, "\(connected.text)")
        let me = try trial.service.send("GET", "/v1/me", token: ada)["id"]?.string
        #expect(
            try trial.service.send("GET", "/v1/me", token: try trial.session())["id"]?.string == me
        )
        trial.provider.play(.claims([:]), subject: "u3")
        let ben = try trial.session()
        trial.provider.play(.claims([:]), subject: "u2")
        let taken = try trial.arrive(trial.depart(path: "/v1/identities", token: ben))
        #expect(taken.status == 409 && taken.text.contains("/problems/identity-taken"), "\(taken.text)")
        let all =
            try trial.service.send("GET", "/v1/identities", token: ada)["items"]?.elements.compactMap {
                $0["id"]?.string
            } ?? []
        #expect(all.count == 2)
        #expect(try trial.service.send("DELETE", "/v1/identities/\(all[0])", token: ben).status == 404)
        #expect(try trial.service.send("DELETE", "/v1/identities/\(all[0])", token: ada).status == 204)
        let last = try trial.service.send("DELETE", "/v1/identities/\(all[1])", token: ada)
        #expect(last.status == 409 && last["type"]?.string == "/problems/last-way-in", "\(last.text)")
    }

    @Test("A session that has ended meanwhile, or a token, connects no identity")
    func endedSession() throws {
        let trial = try SignInTrial()
        let ada = try trial.session()
        trial.provider.play(.claims([:]), subject: "u2")
        let back = try trial.depart(path: "/v1/identities", token: ada)
        let tokens =
            try trial.service.send("GET", "/v1/tokens", token: ada)["items"]?.elements.compactMap { $0["id"]?.string }
            ?? []
        #expect(try trial.service.send("DELETE", "/v1/tokens/\(try #require(tokens.first))", token: ada).status == 204)
        let arrived = try trial.arrive(back)
        #expect(arrived.status == 401 && arrived.text.contains("/problems/token-unknown"), "\(arrived.text)")
        let short = try trial.service.send(
            "POST", "/v1/tokens", "{\"name\":\"short\",\"expiresAt\":\"2999-01-01T00:00:00Z\"}")
        let refused = try trial.service.send("POST", "/v1/identities", token: short["token"]?.string)
        #expect(refused.status == 403 && refused["type"]?.string == "/problems/token-ends", "\(refused.text)")
    }

    @Test("Connecting an identity needs the password or, without one, a recent sign-in")
    func lastingWayIn() throws {
        let trial = try SignInTrial()
        let ada = try trial.session()
        let made = try trial.service.send("POST", "/v1/tokens", "{\"name\":\"script\"}", token: ada)
        func connect(_ body: String? = nil, _ token: String? = nil) throws -> Answer {
            try trial.service.send("POST", "/v1/identities", body, token: token ?? ada)
        }
        #expect(try connect().status == 200)
        #expect(
            try connect(nil, made["token"]?.string)["type"]?.string == "/problems/session-too-old",
            "A token that the session made is none.")
        try trial.service.execute("UPDATE tokens SET created_at = created_at - 601000 WHERE is_session")
        let old = try connect()
        #expect(old.status == 403 && old["type"]?.string == "/problems/session-too-old", "\(old.text)")
        try trial.service.execute("UPDATE tokens SET created_at = created_at + 601000 WHERE is_session")
        let first = "{\"name\":\"ada\",\"password\":\"a rope of sand\"}"
        let next = try trial.service.send("PUT", "/v1/me/password", first, token: ada)["token"]?.string
        #expect(try connect(nil, next).pointers == ["/current"])
        #expect(try connect("{\"current\":\"a guess\"}", next).pointers == ["/current"])
        #expect(try connect("{\"current\":\"a guess\",\"more\":1}", next).pointers == ["/more"])
        let begun = try connect("{\"current\":\"a rope of sand\"}", next)
        #expect(begun.status == 200 && begun["url"] != nil && begun.fields["set-cookie"] != nil, "\(begun.text)")
    }

    @Test("An unknown response from the provider ends no attempt, and each address can cause little work")
    func unspent() throws {
        let trial = try SignInTrial()
        let back = try trial.depart()
        var declined = back
        declined.more = "&error=access_denied"
        #expect(try trial.arrive(declined).text.contains("refused the sign-in"))
        var wrong = back
        wrong.code = "x"
        #expect(try trial.arrive(wrong).text.contains("does not know the code"))
        #expect(try trial.arrive(back).session != nil)
        #expect(try trial.arrive(back).text.contains("used before"))
        // This holds on slow machines: one attempt is allowed every two seconds.
        var tries = 0
        while tries < 200, try trial.arrive(wrong).status == 403 { tries += 1 }
        #expect((50..<200).contains(tries))
        #expect(try trial.arrive(declined).status == 403, "Which asks the provider nothing.")
    }

    @Test("New and returning sign-ins by the provider are counted, and so are refusals")
    func counted() throws {
        let trial = try SignInTrial()
        func counts() throws -> [Int] {
            try ["registrations", "sign_ins", "sign_ins_refused"].map {
                try trial.service.metric("lectern_\($0)_total")
            }
        }
        let before = try counts()
        #expect(try trial.signIn().session != nil)
        #expect(try counts() == [before[0] + 1, before[1], before[2]])
        #expect(try trial.signIn().session != nil)
        #expect(try counts() == [before[0] + 1, before[1] + 1, before[2]])
        var wrong = try trial.depart()
        wrong.code = "x"
        #expect(try trial.arrive(wrong).status == 403)
        trial.provider.play(.claims([:]), subject: "u2")
        #expect(try trial.signIn(link: "none").status == 422)
        #expect(try counts() == [before[0] + 1, before[1] + 1, before[2] + 2])
    }

    @Test(
        "Open registration by the provider is limited by the hour; known and invited readers do not count"
    )
    func registrationLimit() throws {
        let trial = try SignInTrial()
        let settings = try trial.provider.settings()
        try trial.service.restart {
            $0.accounts.registration = .open
            $0.accounts.registrationsPerHour = 1
            $0.accounts.publicOrigin = try! WebOrigin("https://lectern.example")
            $0.accounts.provider = settings
        }
        #expect(try trial.signIn().session != nil)
        trial.provider.play(.claims([:]), subject: "u2")
        let refused = try trial.signIn()
        #expect(refused.status == 429 && refused.text.contains("\"registrationsPerHour\""), "\(refused.text)")
        let made = try trial.service.send("POST", "/v1/links", "{\"kind\":\"invitation\"}")
        let link = try #require(made["url"]?.string?.components(separatedBy: "/sign-in#").last, "\(made.text)")
        #expect(try trial.signIn(link: link).session != nil)
        #expect(try trial.signIn().session != nil)
    }

    @Test("An error of the provider is logged at most once a second")
    func loggedErrors() {
        let accounts = AccountService()
        defer { accounts.passwords.stop() }
        #expect(accounts.admitLogLine() && !accounts.admitLogLine())
        #expect(eventually { accounts.admitLogLine() })
    }

    @Test("Redirects begin with the public URL, whatever Host says, and without a provider there is no sign-in route")
    func host() throws {
        let trial = try SignInTrial()
        let begun = try trial.service.send("POST", "/v1/oidc/begin", "{}", token: "", fields: ["Host: evil.example"])
        #expect(
            begun["url"]?.string?.contains("redirect_uri=https%3A%2F%2Flectern.example%2Fv1%2Foidc%2Fcallback&") == true
        )
        #expect(!begun.text.contains("evil") && begun.fields["cache-control"] == "no-store")
        let cookie = begun.fields["set-cookie"] ?? ""
        for word in [
            "__Host-lectern-attempt=", "; HttpOnly", "; Secure", "; SameSite=Lax", "; Path=/", "; Max-Age=600",
        ] {
            #expect(cookie.contains(word), "\(cookie)")
        }
        let none = try TestService()
        let refused = try none.send("POST", "/v1/oidc/begin", "{}", token: "")
        #expect(refused.status == 404 && refused["type"]?.string == "/problems/no-provider")
        #expect(
            try none.send("GET", "/v1/sign-in", token: "").text
                == #"{"registration":"invited","registrationLinks":"administrators","provider":null,"browsers":"secure","reader":null}"#
        )
        #expect(
            try trial.service.send("GET", "/v1/sign-in", token: "")["provider"]?.string
                == "127.0.0.1:\(trial.provider.port)")
    }
}

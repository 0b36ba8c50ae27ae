import Bytes
import HTTPServer
import JSON
import SharedByTests
import Store
import Testing

@testable import API

/// Tests with invalid and forged responses of a provider.
@Suite("Forged responses of a provider", .serialized, .ownThreads)
struct ForgedAnswerTests {
    /// The token endpoint's responses, and the reasons of their refusal.
    static let scripts: [(String, ScriptedProvider.Script, String)] = [
        ("another nonce", .claims(["nonce": "\"other\""]), "for another attempt"),
        ("no nonce", .claims(["nonce": nil]), "has no nonce"),
        ("another audience", .claims(["aud": "\"other\""]), "another audience"),
        ("an audience that is not alone", .claims(["aud": "[\"lectern\",\"other\"]"]), "another party"),
        ("another party", .claims(["azp": "\"other\""]), "another party"),
        ("another issuer", .claims(["iss": "\"https://evil.example\""]), "another issuer"),
        ("expired", .claims(["exp": "1000000000"]), "has expired"),
        ("from the future", .claims(["iat": "99999999999"]), "from the future"),
        ("without a subject", .claims(["sub": nil]), "has no sub"),
        ("two parts", .token { $0.split(separator: ".").dropLast().joined(separator: ".") }, "three parts"),
        ("four parts", .token { $0 + ".e30" }, "three parts"),
        ("no JSON", .token { _ in "e30.e30x.c2ln" }, "header names no algorithm"),
        ("no Base64", .token { "!" + $0 }, "is not Base64"),
        ("no ID token", .answer(200, #"{"access_token":"a","token_type":"Bearer"}"#), "has no ID token"),
        ("an answer that is no JSON", .answer(200, "<html>"), "not JSON"),
        ("no such code", .answer(400, #"{"error":"invalid_grant"}"#), "does not know the code"),
    ]

    @Test("An invalid response of the token endpoint signs nobody in, and the reason is logged")
    func forged() throws {
        let trial = try SignInTrial()
        let before = try trial.count()
        for (what, script, why) in Self.scripts {
            trial.provider.play(script)
            let arrived = try trial.signIn()
            #expect(
                arrived.status == 403 && arrived.text.contains("/problems/identity-refused"), "\(what): \(arrived.text)"
            )
            #expect(arrived.text.contains(why) && arrived.session == nil, "\(what): \(arrived.text)")
            #expect(arrived.values("Set-Cookie").allSatisfy { $0.hasPrefix("__Host-lectern-attempt=;") }, "\(what)")
        }
        #expect(try trial.count() == before)
        trial.provider.play(.claims([:]))
        #expect(try trial.signIn().session != nil)
    }

    @Test("A redirect is not followed, an endless response not stored, and a slow one delays nobody")
    func unreachable() throws {
        let trial = try SignInTrial(secondsMax: 1, loops: 1)
        let before = try trial.count()
        for script in [.redirect, .oversized, .answer(500, "{}"), .answer(401, #"{"error":"invalid_client"}"#)]
            as [ScriptedProvider.Script]
        {
            trial.provider.play(script)
            let arrived = try trial.signIn()
            #expect(arrived.status == 503 && arrived.text.contains("/problems/provider-unreachable"), "\(arrived.text)")
            #expect(arrived.session == nil && !arrived.text.contains("\(trial.provider.port)"), "\(arrived.text)")
        }
        #expect(trial.provider.asked.count == 4, "A redirect was followed.")
        trial.provider.play(.silence)
        let back = try trial.depart()
        let wire = try Wire(trial.service)
        wire.send(
            "GET /v1/oidc/callback?state=\(back.state)&code=\(back.code) HTTP/1.1\r\nHost: t\r\nConnection: close\r\n")
        wire.send("Cookie: __Host-lectern-attempt=\(try #require(back.cookie))\r\n\r\n")
        // The only loop serves other requests meanwhile, until the provider has been asked.
        while trial.provider.asked.count < 5 { #expect(try trial.service.send("GET", "/healthz").status == 200) }
        #expect(try trial.service.send("GET", "/v1/me").status == 200)
        #expect(wire.read(until: "\u{0}").contains("/problems/provider-unreachable"))
        #expect(try trial.count() == before)
    }

    @Test("A provider with invalid metadata is not used")
    func configuration() throws {
        for (given, isGood) in [
            (["issuer": "\"https://evil.example\""], false),
            (["token_endpoint": "\"http://evil.example/token\""], false),
            (["authorization_endpoint": "\"javascript:alert(1)\""], false),
            (["code_challenge_methods_supported": "[\"plain\"]"], false),
            ([:], true),
        ] {
            let trial = try SignInTrial(configuration: given)
            let begun = try trial.service.send("POST", "/v1/oidc/begin", "{}", token: "")
            #expect(begun.status == (isGood ? 200 : 503), "\(given): \(begun.text)")
        }
    }

    @Test("A provider's response counts once, in the same browser, for its latest attempt")
    func bound() throws {
        let trial = try SignInTrial()
        let (mine, other) = (try trial.depart(), try trial.depart())
        let before = try trial.count()
        var rows: [(String, SignInTrial.Return, String)] = []
        func add(_ what: String, _ why: String, _ change: (inout SignInTrial.Return) -> Void) {
            var back = mine
            change(&back)
            rows.append((what, back, why))
        }
        add("another browser's cookie", "another attempt") { $0.cookie = other.cookie }
        add("a swapped state", "another attempt") { $0.state = other.state }
        add("no cookie", "has not started a sign-in") { $0.cookie = nil }
        add("an empty state", "another attempt") { $0.state = "" }
        add("a cookie that was changed", "another attempt") { $0.cookie?.append("A") }
        for (what, back, why) in rows {
            let arrived = try trial.arrive(back)
            #expect(
                arrived.status == 403 && arrived.text.contains(why) && arrived.session == nil,
                "\(what): \(arrived.text)")
        }
        #expect(trial.provider.asked.isEmpty)
        #expect(try trial.count() == before)
        #expect(try trial.arrive(mine).session != nil)
        let again = try trial.arrive(mine)
        #expect(again.status == 403 && again.text.contains("used before") && again.session == nil, "\(again.text)")
        // A code of another attempt is refused: its verifier and nonce differ.
        var stolen = other
        stolen.code = try trial.depart().code
        let refused = try trial.arrive(stolen)
        #expect(refused.status == 403 && refused.text.contains("does not know the code") && refused.session == nil)
        let early = try trial.depart()
        let settings = try trial.provider.settings()
        try trial.service.restart {
            $0.accounts.registration = .open
            $0.accounts.publicOrigin = try! WebOrigin("https://lectern.example")
            $0.accounts.provider = settings
        }
        let late = try trial.arrive(early)
        #expect(late.status == 403 && late.text.contains("another attempt"), "What was begun ends with the process.")
    }

    @Test("A response with another issuer is refused, and one without an issuer if the provider always sends it")
    func mixedUp() throws {
        for isNamed in [false, true] {
            let trial = try SignInTrial(
                configuration: isNamed ? ["authorization_response_iss_parameter_supported": "true"] : [:])
            let evil = "&iss=https%3A%2F%2Fevil.example"
            for (more, isTaken) in [
                ("", !isNamed), (evil, false), ("&iss=http%3A%2F%2F127.0.0.1%3A\(trial.provider.port)", true),
            ] {
                var back = try trial.depart()
                back.more = more
                let arrived = try trial.arrive(back)
                #expect((arrived.session != nil) == isTaken, "\(more): \(arrived.text)")
                if !isTaken { #expect(arrived.text.contains("from another issuer")) }
            }
        }
    }

    @Test("A person gets a page that runs no script and repeats nothing of the response")
    func page() throws {
        let trial = try SignInTrial()
        var back = try trial.depart()
        back.accept = "text/html,application/xhtml+xml,*/*;q=0.8"
        back.more = "&error=%3Cscript%3Ealert(1)%3C%2Fscript%3E&error_description=%3Cb%3E"
        let arrived = try trial.arrive(back)
        #expect(
            arrived.status == 403 && arrived.values("Content-Type") == ["text/html; charset=utf-8"], "\(arrived.text)")
        #expect(arrived.text.contains("refused the sign-in") && arrived.text.contains("href=\"/sign-in\""))
        #expect(!arrived.text.contains("<script") && !arrived.text.contains("alert(1)"))
        let policy = try #require(arrived.values("Content-Security-Policy").first)
        #expect(policy.hasPrefix("default-src 'none'; style-src 'self'; ") && !policy.contains("script-src"))
        #expect(arrived.values("Referrer-Policy") == ["no-referrer"] && arrived.values("Cache-Control") == ["no-store"])
    }
}

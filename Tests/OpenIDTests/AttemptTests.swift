import Bytes
import Model
import Testing

@testable import OpenID

@Suite("Sign-in attempts")
struct AttemptTests {
    private let now = Instant(milliseconds: 1_800_000_000_000)
    private let attempts = SignInAttempts()

    private func begin(_ purpose: SignInAttempt.Purpose = .signIn(invitation: nil)) -> BrowserBinding {
        attempts.begin(SignInAttempt(purpose, device: "Ada's \"laptop\"", now: now))
    }

    private func refusal(_ cookie: String?, _ state: String?, after seconds: Int64 = 0, by other: SignInAttempts? = nil)
        -> String
    {
        do {
            _ = try (other ?? attempts).begun(cookie: cookie, state: state, now: now.adding(seconds: seconds))
            return "taken"
        } catch {
            return "\(error)"
        }
    }

    @Test("A sign-in attempt is restored once, with its values")
    func once() throws {
        let (reader, token) = (ResourceID(madeAt: now), ResourceID(madeAt: now))
        for purpose in [.signIn(invitation: nil), .signIn(invitation: "s"), .connect(reader: reader, token: token)]
            as [SignInAttempt.Purpose]
        {
            let begun = begin(purpose)
            #expect(refusal(begun.cookie, begun.state) == "taken", "To be looked at ends nothing.")
            let late = now.adding(seconds: 599)
            let (attempt, binding) = try attempts.begun(cookie: begun.cookie, state: begun.state, now: late)
            #expect(attempt.purpose == purpose && attempt.device == "Ada's \"laptop\"")
            #expect(binding.nonce == begun.nonce && binding.verifier == begun.verifier)
            try attempts.end(attempt, binding, now: late)
            #expect(refusal(begun.cookie, begun.state).contains("used before"))
            #expect(throws: OpenIDError.self) { try attempts.end(attempt, binding, now: late) }
        }
    }

    @Test("A cookie of another browser, another state, a missing, late or foreign one is refused")
    func refused() {
        let (mine, other) = (begin(), begin())
        let rows: [(String?, String?, Int64, String)] = [
            (other.cookie, mine.state, 0, "another attempt"), (mine.cookie, other.state, 0, "another attempt"),
            (nil, mine.state, 0, "has not started a sign-in"), (mine.cookie, nil, 0, "another attempt"),
            ("", "", 0, "another attempt"),
            (mine.cookie + "A", mine.state, 0, "another attempt"),
            (mine.cookie, mine.state + "A", 0, "another attempt"),
            (String(repeating: "A", count: 3001), mine.state, 0, "has not started a sign-in"),
            (mine.cookie, mine.state, 600, "more than ten minutes"),
        ]
        for (cookie, state, seconds, why) in rows {
            #expect(refusal(cookie, state, after: seconds).contains(why), "\(why)")
        }
        #expect(refusal(mine.cookie, mine.state, by: SignInAttempts()).contains("another attempt"))
        #expect(refusal(mine.cookie, mine.state) == "taken", "None of them has used it up.")
    }

    @Test("State, nonce, verifier and challenge differ and cannot be derived from each other")
    func derived() {
        let (mine, other) = (begin(), begin())
        let all = [mine, other].flatMap { [$0.state, $0.nonce, $0.verifier, $0.challenge] }
        #expect(Set(all).count == 8 && all.allSatisfy { $0.utf8.count == 43 })
        #expect(!mine.cookie.contains(mine.verifier))
    }

    @Test("The challenge is RFC 7636's S256, and the code under it RFC 4231's HMAC")
    func vectors() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        #expect(
            Base64URL.text(of: SHA256.digest(of: Array(verifier.utf8)).bytes)
                == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        func hex(_ key: [UInt8], _ text: String) -> String {
            HMAC(key: key).code(of: Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        #expect(
            hex(Array(repeating: 0x0B, count: 20), "Hi There")
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        #expect(
            hex(Array("Jefe".utf8), "what do ya want for nothing?")
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }
}

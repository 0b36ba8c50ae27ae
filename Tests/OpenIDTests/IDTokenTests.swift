import Bytes
import Model
import Testing

@testable import OpenID

@Suite("ID tokens")
struct IDTokenTests {
    static let now = Instant(milliseconds: 1_800_000_000_000)

    static func token(_ body: String, header: String = #"{"alg":"RS256"}"#, signature: String = "c2ln") -> String {
        "\(Base64URL.text(of: Array(header.utf8))).\(Base64URL.text(of: Array(body.utf8))).\(signature)"
    }

    static func claims(_ changed: [String: String?] = [:]) -> String {
        var claims: [String: String] = [
            "iss": #""https://id.example""#, "aud": #""lectern""#, "nonce": #""n1""#, "sub": #""u1""#,
            "exp": "1800000300", "iat": "1800000000",
        ]
        for (name, value) in changed { claims[name] = value }
        return "{" + claims.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    private func identity(_ token: String) throws(OpenIDError) -> VerifiedIdentity {
        try IDToken(token).identity(issuer: "https://id.example", client: "lectern", nonce: "n1", now: Self.now)
    }

    @Test(
        "Valid provider metadata is accepted",
        arguments: [
            [:], ["aud": #"["lectern"]"#], ["azp": #""lectern""#],
            ["aud": #"["api","lectern"]"#, "azp": #""lectern""#],
            ["exp": "1799999941"], ["iat": "1800000060"], ["exp": "1.8000003e9"], ["iat": "1799999999.5"],
            ["nbf": "1800000059"], ["sub": "\"\(String(repeating: "s", count: 255))\""],
        ] as [[String: String?]])
    func good(_ changed: [String: String?]) throws {
        let found = try identity(Self.token(Self.claims(changed)))
        #expect(found.issuer == "https://id.example" && found.subject.hasPrefix(changed["sub"] == nil ? "u1" : "sss"))
    }

    @Test(
        "A forged, late, early or foreign ID token is refused with the reason",
        arguments: [
            (["iss": #""https://evil.example""#], "from another issuer"),
            (["iss": #""https://id.example/""#], "from another issuer"),
            (["iss": nil], "has no iss"), (["iss": "1"], "has no iss"),
            (["aud": #""other""#], "another audience"), (["aud": "[]"], "another audience"),
            (["aud": nil], "another audience"),
            (["aud": #"["other","api"]"#, "azp": #""lectern""#], "another audience"),
            (["aud": #"["lectern",1]"#, "azp": #""lectern""#], "another audience"),
            (["aud": #"["lectern","api"]"#], "another party"), (["azp": #""other""#], "another party"),
            (["azp": "null"], "another party"),
            (["nonce": #""n2""#], "another attempt"), (["nonce": nil], "has no nonce"),
            (["nonce": #""""#], "another attempt"),
            (["exp": "1799999940"], "has expired"), (["exp": nil], "has expired"),
            (["exp": #""1800000300""#], "has expired"),
            (["exp": "-1e300"], "has expired"), (["iat": "1800000061"], "from the future"),
            (["iat": "1e300"], "from the future"),
            (["iat": nil], "from the future"), (["nbf": "1800000061"], "not valid yet"),
            (["nbf": #""x""#], "not valid yet"),
            (["sub": nil], "has no sub"), (["sub": #""""#], "empty or too long"),
            (["sub": #""a\u0000b""#], "empty or too long"),
            (["sub": "\"\(String(repeating: "s", count: 256))\""], "empty or too long"),
        ] as [([String: String?], String)])
    func forged(_ changed: [String: String?], _ why: String) {
        #expect { try identity(Self.token(Self.claims(changed))) } throws: {
            if case .refused(let text)? = $0 as? OpenIDError { text.contains(why) } else { false }
        }
    }

    @Test(
        "An invalid ID token is refused with the reason",
        arguments: [
            ("", "three parts"), ("a.b", "three parts"), ("\(token(claims())).x", "three parts"),
            ("..", "header is not JSON"),
            (token(claims(), signature: "="), "signature"), (token(claims(), header: "{}"), "no algorithm"),
            (token(claims(), header: #"{"alg":"RS256","crit":["b64"]}"#), "unsupported critical"),
            (token(claims(), header: "[]"), "header is not an object"), (token("[]"), "body is not an object"),
            (token("{"), "body is not JSON"), (token(#"{"sub":"a","sub":"b"}"#), "repeated member"),
            ("e30=.e30.c2ln", "header is not Base64"),
            (token(claims(["pad": "\"\(String(repeating: "x", count: 20000))\""])), "too long"),
        ])
    func malformed(_ text: String, _ why: String) {
        #expect { try identity(text) } throws: {
            if case .refused(let text)? = $0 as? OpenIDError { text.contains(why) } else { false }
        }
    }

    @Test("A new reader gets the name from the identity provider, if it has one")
    func names() throws {
        #expect(try identity(Self.token(Self.claims())).name == nil)
        let both: [String: String?] = ["name": #""Ada L.""#, "preferred_username": #""ada""#]
        #expect(try identity(Self.token(Self.claims(both))).name == "Ada L.")
        #expect(try identity(Self.token(Self.claims(["name": #""""#, "preferred_username": #""ada""#]))).name == "ada")
    }
}

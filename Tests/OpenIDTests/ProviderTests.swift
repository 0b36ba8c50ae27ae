import Bytes
import Model
import Testing

@testable import OpenID

@Suite("Provider settings")
struct ProviderTests {
    private static func issuer(_ text: String = "https://id.example", plain: Bool = false) -> EndpointURL {
        EndpointURL(text, allowsPlain: plain)!
    }

    private static func document(_ more: String = "", issuer: String = "https://id.example", token: String? = nil)
        -> [UInt8]
    {
        let token = token ?? issuer + "/token"
        return Array(
            #"{"issuer":"\#(issuer)","authorization_endpoint":"\#(issuer)/authorize?a=1","token_endpoint":"\#(token)"\#(more)}"#
                .utf8)
    }

    @Test(
        "Only HTTPS endpoints are accepted, and plain HTTP on this machine where allowed",
        arguments: [
            ("https://id.example", true, true), ("https://id.example:8443/realm", true, true),
            ("http://id.example", false, false),
            ("http://127.0.0.1:9000", false, true), ("http://[::1]:9000/x", false, true),
            ("http://localhost:9000", false, true),
            ("http://127.0.0.1.evil.example", false, false), ("http://localhost@evil.example", false, false),
            ("http://localhost:80@evil.example", false, false), ("http://localhost:x", false, false),
            ("http://127.0.0.1\\@evil.example", false, false), ("https://", false, false),
            ("https://u:p@id.example", false, false),
            ("https://id.example#x", false, false), ("https://id.exam ple", false, false),
            ("https://id.example\u{E9}", false, false),
            ("ftp://id.example", false, false), ("file:///etc/passwd", false, false),
            ("HTTPS://id.example", false, false),
        ])
    func urls(_ text: String, _ isTaken: Bool, _ isTakenPlain: Bool) {
        #expect((EndpointURL(text, allowsPlain: false) != nil) == isTaken)
        #expect((EndpointURL(text, allowsPlain: true) != nil) == isTakenPlain)
    }

    @Test("A provider's settings are used with the issuer's metadata")
    func metadata() throws {
        let plain = try ProviderMetadata(Self.document(), of: Self.issuer())
        #expect(plain.token.text == "https://id.example/token" && plain.authentication == .basic && !plain.namesIssuer)
        #expect(plain.authorization.adding([("a b", "c&d")]) == "https://id.example/authorize?a=1&a%20b=c%26d")
        let post = #","token_endpoint_auth_methods_supported":["client_secret_post","private_key_jwt"]"#
        let named =
            #","authorization_response_iss_parameter_supported":true,"code_challenge_methods_supported":["plain","S256"]"#
        let full = try ProviderMetadata(Self.document(post + named), of: Self.issuer())
        #expect(full.authentication == .post && full.namesIssuer)
    }

    @Test(
        "A configuration of another issuer, without HTTPS, without PKCE, or not in JSON is refused",
        arguments: [
            (document(issuer: "https://evil.example"), "from another issuer"),
            (document(issuer: "https://id.example/"), "from another issuer"),
            (document(token: "http://id.example/token"), "token_endpoint"),
            (document(token: "http://127.0.0.1/token"), "token_endpoint"),
            (document(#","code_challenge_methods_supported":["plain"]"#), "S256"), (Array("<html>".utf8), "not JSON"),
            (Array("[]".utf8), "from another issuer"),
        ])
    func badMetadata(_ document: [UInt8], _ why: String) {
        #expect { try ProviderMetadata(document, of: Self.issuer()) } throws: { "\($0)".contains(why) }
    }

    @Test("Invalid settings are refused, and the metadata's address follows from the issuer")
    func settings() throws {
        func settings(_ issuer: String, id: String = "lectern", plain: Bool = false) throws -> ProviderSettings {
            try ProviderSettings(
                issuer: issuer, clientID: id, clientSecret: nil, redirect: "https://lectern.example/v1/oidc/callback",
                allowsPlain: plain)
        }
        #expect(
            try settings("https://id.example/realms/a/").discovery
                == "https://id.example/realms/a/.well-known/openid-configuration")
        #expect(try settings("https://id.example:8443/a").host == "id.example:8443")
        #expect(try settings("http://127.0.0.1:9", plain: true).host == "127.0.0.1:9")
        for (issuer, id) in [
            ("http://127.0.0.1:9", "a"), ("https://id.example?x", "a"), ("https://id.example", ""),
            ("https://id.example", "a\n"),
        ] {
            #expect(throws: InvalidText.self) { try settings(issuer, id: id) }
        }
    }

    @Test("A client's secret is escaped before it is encoded")
    func basic() {
        #expect(IDTokenRequest.basic("a", "b") == "YTpi")
        #expect(IDTokenRequest.basic("le:c", "s+~/é") == "bGUlM0FjOnMlMkJ+JTJGJUMzJUE5")
    }
}

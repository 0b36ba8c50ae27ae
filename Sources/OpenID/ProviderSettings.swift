import Bytes

/// How a provider is reached, and as whom.
package struct ProviderSettings: Sendable {
    package let issuer: String
    package let clientID: String
    /// Nil of a client that has none: PKCE alone proves that it is the one that began.
    package let clientSecret: String?
    /// Where the provider sends browsers back to.
    package let redirect: String
    /// How long an answer of the provider's may take.
    package var secondsMax = 10

    let issuerURL: EndpointURL

    /// Why settings are none.
    package struct Fault: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// `allowsPlain` lets a provider on this machine be spoken to without TLS: for tests.
    package init(
        issuer: String, clientID: String, clientSecret: String?, redirect: String, allowsPlain: Bool = false
    ) throws(Fault) {
        guard let url = EndpointURL(issuer, allowsPlain: allowsPlain), !issuer.contains("?") else {
            throw Fault(description: "the issuer must be an https:// URL without a query, not \"\(issuer)\"")
        }
        guard !clientID.isEmpty, clientID.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
            throw Fault(description: "the client's id must be visible ASCII")
        }
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.redirect = redirect
        issuerURL = url
    }

    /// What to call the provider where people choose it: its host.
    package var host: String {
        String(issuer.dropFirst(issuerURL.isPlain ? 7 : 8).prefix { $0 != "/" })
    }

    /// Where the provider says what it is (OpenID Connect Discovery 1.0, 4).
    var discovery: String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }
}

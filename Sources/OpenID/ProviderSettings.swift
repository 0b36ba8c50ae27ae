package import Bytes

/// The settings of a provider: its issuer, and the client's credentials.
package struct ProviderSettings: Sendable {
    package let issuer: String
    package let clientID: String
    /// The client's secret, or `nil` for a public client. PKCE alone then proves that the same client began.
    package let clientSecret: String?
    /// The URL to which the provider redirects browsers.
    package let redirect: String
    /// The maximum seconds for a response of the provider.
    package var secondsMax = 10

    let issuerURL: EndpointURL

    /// Creates settings. `allowsPlain` allows a provider on this machine without TLS, for tests.
    package init(
        issuer: String, clientID: String, clientSecret: String?, redirect: String, allowsPlain: Bool = false
    ) throws(InvalidText) {
        guard let url = EndpointURL(issuer, allowsPlain: allowsPlain), !issuer.contains("?") else {
            throw InvalidText(
                reason: "the issuer must be an https:// URL without a query, not \"\(issuer)\"")
        }
        guard !clientID.isEmpty, clientID.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
            throw InvalidText(reason: "the client id must be visible ASCII")
        }
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.redirect = redirect
        issuerURL = url
    }

    /// The provider's host, by which it is named where people choose how to sign in.
    package var host: String {
        String(issuer.dropFirst(issuerURL.isPlain ? 7 : 8).prefix { $0 != "/" })
    }

    /// The URL of the provider's metadata (OpenID Connect Discovery 1.0, 4).
    var discovery: String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }
}

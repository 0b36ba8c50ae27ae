import API
import Bytes
import FoundationEssentials
import OpenID

extension CommandLineArguments {
    /// Returns the settings of the identity provider, or `nil` if there is none. Browsers return from it to the public
    /// URL only.
    func provider(publicURL: String?) throws -> ProviderSettings? {
        guard let issuer = self[.oidcIssuer] else { return nil }
        guard let publicURL else {
            throw CommandError.misused("--oidc-issuer needs --public-url, to which the provider sends browsers back.")
        }
        let (secret, allowsPlain) = (try clientSecret(), try bool(.oidcAllowHTTP))
        do throws(InvalidText) {
            return try ProviderSettings(
                issuer: issuer, clientID: self[.oidcClientID] ?? "", clientSecret: secret,
                redirect: publicURL + "/v1/oidc/callback", allowsPlain: allowsPlain)
        } catch {
            throw CommandError.misused("\(place(of: .oidcIssuer)): \(error.reason).")
        }
    }

    private func clientSecret() throws(CommandError) -> String? {
        guard let path = self[.oidcClientSecretFile] else { return nil }
        do {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            // Editors end a file with a line end, which is not part of the secret.
            return String(text.reversed().drop { $0.isWhitespace }.reversed())
        } catch {
            throw CommandError.misused("\(place(of: .oidcClientSecretFile)): \(path) cannot be read.")
        }
    }
}

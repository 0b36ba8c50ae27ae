import Bytes
package import Model
import Outbound

/// The server's identity provider, which authenticates people. Requests to it run on the transport's thread.
package final class IdentityProvider: Sendable {
    /// The maximum bytes of a response.
    static let answerBytesMax = 256 << 10

    package let settings: ProviderSettings
    private let transport: HTTPTransport
    private let discovery = ProviderMetadataCache()

    package init(_ settings: ProviderSettings) throws(OpenIDError) {
        self.settings = settings
        do throws(HTTPClientError) { transport = try HTTPTransport() } catch { throw .unreachable("\(error)") }
    }

    /// Returns the URL to which the browser of a new attempt is sent.
    package func authorization(of binding: BrowserBinding, now: Instant) async throws(OpenIDError) -> String {
        let metadata = try await metadata(now: now)
        return metadata.authorization.adding([
            ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", settings.redirect),
            ("scope", "openid profile"), ("state", binding.state), ("nonce", binding.nonce),
            ("code_challenge", binding.challenge), ("code_challenge_method", "S256"),
        ])
    }

    /// Exchanges a code for the person's identity. `issuer` is the one that the response names, if any.
    package func identity(
        code: String, issuer: String?, _ binding: BrowserBinding
    ) async throws(OpenIDError) -> VerifiedIdentity {
        let metadata = try await metadata(now: .now)
        // Otherwise another provider's response could be injected here, and its code be disclosed (RFC 9207).
        guard issuer.map({ areEqualInConstantTime($0, settings.issuer) }) ?? !metadata.namesIssuer else {
            throw .refused("The response is from another issuer.")
        }
        let request = IDTokenRequest(code: code, verifier: binding.verifier, settings, metadata)
        let token = try IDToken(IDTokenRequest.token(in: await send(request.request)))
        return try token.identity(
            issuer: settings.issuer, client: settings.clientID, nonce: binding.nonce, now: .now)
    }

    private func metadata(now: Instant) async throws(OpenIDError) -> ProviderMetadata {
        try await discovery.metadata(now: now) { [self] () throws(OpenIDError) in
            let answer = try await send(HTTPRequest("GET", settings.discovery, fields: ["Accept: application/json"]))
            guard answer.status == 200 else {
                throw .unreachable("the provider's configuration has the status \(answer.status)")
            }
            return try ProviderMetadata(answer.body, of: settings.issuerURL)
        }
    }

    /// Sends a request without following redirects: the response must come from the provider itself.
    private func send(_ request: HTTPRequest) async throws(OpenIDError) -> HTTPClientResponse {
        do {
            return try await transport.send(
                request, secondsMax: settings.secondsMax, bytesMax: Self.answerBytesMax)
        } catch {
            throw .unreachable("\(error)")
        }
    }
}

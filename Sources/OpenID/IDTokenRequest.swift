import Bytes
import JSON
import Outbound

/// A request to the token endpoint for an ID token in exchange for a code (OpenID Connect Core 1.0, 3.1.3).
struct IDTokenRequest {
    let request: HTTPRequest

    init(code: String, verifier: String, _ settings: ProviderSettings, _ metadata: ProviderMetadata) {
        var form = [
            (name: "grant_type", value: "authorization_code"), ("code", code), ("redirect_uri", settings.redirect),
            ("code_verifier", verifier),
        ]
        var fields = ["Content-Type: application/x-www-form-urlencoded", "Accept: application/json", "Expect:"]
        switch (settings.clientSecret, metadata.authentication) {
        case (nil, _): form.append(("client_id", settings.clientID))
        case (let secret?, .post): form += [("client_id", settings.clientID), ("client_secret", secret)]
        case (let secret?, .basic):
            fields.append("Authorization: Basic \(Self.basic(settings.clientID, secret))")
        }
        request = HTTPRequest(
            "POST", metadata.token.text, fields: fields, body: Array(PercentEncoding.form(form).utf8))
    }

    /// Returns the credentials of HTTP Basic authentication. Unusually, both parts are percent-encoded first (RFC 6749,
    /// 2.3.1).
    static func basic(_ id: String, _ secret: String) -> String {
        let pair = "\(PercentEncoding.text(of: id)):\(PercentEncoding.text(of: secret))"
        return Base64URL.padded(Array(pair.utf8))
    }

    /// Returns the ID token in a response.
    static func token(in answer: HTTPClientResponse) throws(OpenIDError) -> String {
        let root: JSONValue?
        do { root = try JSONDocument(answer.body).root } catch { root = nil }
        if answer.status == 400, let code = root?["error"]?.string, code == "invalid_grant" {
            throw .refused("The provider does not know the code, or it was used before.")
        }
        guard answer.status == 200 else {
            throw .unreachable("the provider's token endpoint returned the status \(answer.status)")
        }
        guard let root, root.kind == .object else {
            throw .refused("The provider's response is not JSON.")
        }
        guard let token = root["id_token"]?.string else { throw .refused("The provider's response has no ID token.") }
        return token
    }
}

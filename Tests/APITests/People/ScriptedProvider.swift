import Bytes
import HTTPServer
import JSON
import Model
import OpenID
import Synchronization

/// An identity provider that follows a test's script. It accepts codes once, and checks PKCE and the client.
final class ScriptedProvider: Sendable {
    /// The response of the token endpoint.
    enum Script: Sendable {
        /// An ID token with these claims changed; `nil` removes a claim.
        case claims([String: String?])
        /// An ID token derived from the valid one.
        case token(@Sendable (String) -> String)
        case answer(Int, String)
        /// A redirect to a URL with a valid response.
        case redirect
        case oversized
        case silence
    }

    private struct State {
        var script = Script.claims([:])
        var subject = "u1"
        var configuration: [String: String] = [:]
        /// The parameters of the authorization endpoint, by code.
        var codes: [String: (nonce: String, challenge: String, redirect: String)] = [:]
        var asked: [String] = []
    }

    private let state = Mutex(State())
    private let server: HTTPServer
    let port: UInt16
    var issuer: String { "http://127.0.0.1:\(port)" }

    init() throws {
        let box = Mutex<ScriptedProvider?>(nil)
        let shared = Shared(box)
        server = HTTPServer(loops: 1) { _ in ProviderHandler(shared) }
        port = try server.listen(tcp: "127.0.0.1", port: 0)
        shared.box.withLock { $0 = self }
        try server.start()
    }

    func stop() {
        server.drain(deadlineSeconds: 0)
        server.wait()
    }

    private final class Shared: Sendable {
        let box: Mutex<ScriptedProvider?>
        init(_ box: consuming Mutex<ScriptedProvider?>) { self.box = box }
    }

    /// Returns a client's settings for this provider.
    func settings(secondsMax: Int = 5) throws -> ProviderSettings {
        var settings = try ProviderSettings(
            issuer: issuer, clientID: "lectern", clientSecret: "s+cret",
            redirect: "https://lectern.example/v1/oidc/callback", allowsPlain: true)
        settings.secondsMax = secondsMax
        return settings
    }

    func play(_ script: Script, subject: String = "u1", configuration: [String: String] = [:]) {
        state.withLock { ($0.script, $0.subject, $0.configuration) = (script, subject, configuration) }
    }

    /// The forms that were sent to the token endpoint.
    var asked: [String] { state.withLock { $0.asked } }

    /// Acts as a person who agrees at the authorization endpoint. Returns the state and the code of the redirect.
    func authorize(_ url: String) throws -> (state: String, code: String) {
        let parts = url.split(separator: "?", maxSplits: 1)
        guard parts.count == 2, parts[0] == issuer + "/authorize" else { throw UnexpectedResponse(text: url) }
        let query = try QueryParameters(Array(parts[1].utf8).span.bytes)
        guard query["response_type"] == "code", query["client_id"] == "lectern",
            query["code_challenge_method"] == "S256", query["scope"] == "openid profile",
            let state = query["state"], let nonce = query["nonce"], let challenge = query["code_challenge"],
            let redirect = query["redirect_uri"]
        else { throw UnexpectedResponse(text: url) }
        let code = "c-\(state.prefix(12))"
        self.state.withLock { $0.codes[code] = (nonce, challenge, redirect) }
        return (state, code)
    }

    private final class ProviderHandler: RequestHandler {
        let shared: Shared
        init(_ shared: Shared) { self.shared = shared }

        func handle(_ request: borrowing Request, _ response: inout ResponseWriter) -> HandlerResult {
            guard let provider = shared.box.withLock({ $0 }) else { return .deferred }
            let path = request.path.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            if path == "/.well-known/openid-configuration" {
                response.body(provider.configuration, type: "application/json")
                return .answered
            }
            let body = request.body.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            let sent = request.field("authorization")?.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            return provider.answer(path, body, sent ?? "", &response)
        }
    }

    private var configuration: [UInt8] {
        var given = [
            "issuer": "\"\(issuer)\"", "authorization_endpoint": "\"\(issuer)/authorize\"",
            "token_endpoint": "\"\(issuer)/token\"",
        ]
        for (name, value) in state.withLock({ $0.configuration }) { given[name] = value }
        return Array(("{" + given.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}").utf8)
    }

    private func answer(
        _ path: String, _ form: String, _ authorization: String, _ response: inout ResponseWriter
    ) -> HandlerResult {
        let (script, subject, known) = state.withLock { state in
            state.asked.append(form)
            let query = try? QueryParameters(Array(form.utf8).span.bytes)
            let known = state.codes.removeValue(forKey: query?["code"] ?? "")
            let verifier = SHA256.digest(of: Array((query?["code_verifier"] ?? "").utf8)).bytes
            let isGood =
                known?.challenge == Base64URL.text(of: verifier) && known?.redirect == query?["redirect_uri"]
                && authorization == "Basic bGVjdGVybjpzJTJCY3JldA=="
            return (state.script, state.subject, isGood ? known : nil)
        }
        guard let known else {
            response.status(400)
            response.body(Array(#"{"error":"invalid_grant"}"#.utf8), type: "application/json")
            return .answered
        }
        let right = token(subject, nonce: known.nonce, [:])
        switch path == "/elsewhere" ? .claims([:]) : script {
        case .claims(let changed): say(token(subject, nonce: known.nonce, changed), &response)
        case .token(let change): say(change(right), &response)
        case .answer(let status, let text):
            response.status(status)
            response.body(Array(text.utf8), type: "application/json")
        case .redirect:
            state.withLock { $0.codes["c-again"] = known }
            response.status(307)
            response.field("Location", "\(issuer)/elsewhere")
            response.empty()
        case .oversized: say(String(repeating: "x", count: 300 << 10), &response)
        case .silence: return .deferred
        }
        return .answered
    }

    private func say(_ token: String, _ response: inout ResponseWriter) {
        let text = #"{"access_token":"a","token_type":"Bearer","expires_in":60,"id_token":"\#(token)"}"#
        response.body(Array(text.utf8), type: "application/json")
    }

    private func token(_ subject: String, nonce: String, _ changed: [String: String?]) -> String {
        let now = Instant.now.milliseconds / 1000
        var claims = [
            "iss": "\"\(issuer)\"", "aud": "\"lectern\"", "sub": "\"\(subject)\"", "nonce": "\"\(nonce)\"",
            "iat": "\(now)", "exp": "\(now + 300)", "name": "\"Ada \(subject)\"", "email": "\"ada@example.org\"",
        ]
        for (name, value) in changed { claims[name] = value }
        let body = "{" + claims.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
        return "eyJhbGciOiJSUzI1NiJ9.\(Base64URL.text(of: Array(body.utf8))).c2ln"
    }
}

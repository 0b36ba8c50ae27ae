import HTTPServer
import OpenID

/// The cookie that ties a sign-in at the identity provider to the browser that began it. The browser returns it with
/// the provider's response, which is a navigation from another site. So it is `Lax`, while a session's cookie is
/// `Strict`.
struct SignInAttemptCookie: Sendable {
    private let name: String
    private let attributes: String

    static let secure = SignInAttemptCookie(
        name: "__Host-lectern-attempt", attributes: "; Path=/; HttpOnly; SameSite=Lax; Secure")
    /// The cookie for connections that do not leave the machine.
    static let ofLoopback = SignInAttemptCookie(name: "lectern-attempt", attributes: "; Path=/; HttpOnly; SameSite=Lax")

    /// Returns the value of `Set-Cookie` that sets the cookie.
    func setting(_ value: String) -> String { "\(name)=\(value); Max-Age=\(SignInAttempt.secondsMax)\(attributes)" }

    /// The value of `Set-Cookie` that deletes the cookie.
    var clearing: String { "\(name)=; Max-Age=0\(attributes)" }

    func value(in request: borrowing Request) -> String? {
        RequestCookies.value(of: name, in: request).flatMap { String(validating: $0, as: UTF8.self) }
    }
}

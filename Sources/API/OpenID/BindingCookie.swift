import HTTPServer
import OpenID

/// The cookie that ties an attempt to the browser that made it. It comes back with the provider's answer, which is a navigation from another
/// site: so it is `Lax`, where a session's is `Strict`.
struct BindingCookie: Sendable {
    private let name: String
    private let attributes: String

    static let secure = BindingCookie(
        name: "__Host-lectern-attempt", attributes: "; Path=/; HttpOnly; SameSite=Lax; Secure")
    /// Where nothing leaves the machine.
    static let ofLoopback = BindingCookie(name: "lectern-attempt", attributes: "; Path=/; HttpOnly; SameSite=Lax")

    /// The value of Set-Cookie that gives it.
    func given(_ value: String) -> String { "\(name)=\(value); Max-Age=\(Attempt.secondsMax)\(attributes)" }

    /// The value of Set-Cookie that takes it away.
    var taken: String { "\(name)=; Max-Age=0\(attributes)" }

    func value(in request: borrowing Request) -> String? {
        Cookies.value(of: name, in: request).flatMap { String(validating: $0, as: UTF8.self) }
    }
}

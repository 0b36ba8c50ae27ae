import HTTPServer
import Model

/// The cookie of a browser's session. No script of a page can read it, and only the service's own pages send it.
struct SessionCookie: Sendable, Equatable {
    let name: String
    private let isSecure: Bool

    /// The cookie of HTTPS. No other host and no page under another path can set one with this prefix (RFC 6265bis,
    /// 4.1.3.2).
    static let secure = SessionCookie(name: "__Host-lectern", isSecure: true)
    /// The cookie of HTTP without TLS: on loopback, or if the operator's public URL is one of HTTP.
    static let plain = SessionCookie(name: "lectern", isSecure: false)

    /// The maximum lifetime of a session.
    private static let secondsMax = Token.sessionDaysMax * 86_400

    /// Returns the value of `Set-Cookie` that sets the cookie.
    func setting(_ secret: String) -> String { "\(name)=\(secret); Max-Age=\(Self.secondsMax)\(attributes)" }

    /// The value of `Set-Cookie` that deletes the cookie.
    var clearing: String { "\(name)=; Max-Age=0\(attributes)" }

    private var attributes: String { "; Path=/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "") }

    /// Returns the secret in a request. Returns `nil` if it is missing, or ambiguous because there are two.
    func secret(in request: borrowing Request) -> [UInt8]? { RequestCookies.value(of: name, in: request) }
}

import HTTPServer
import Model

/// How a browser keeps a session: where no script of a page can read it, and only for the service's own pages.
struct SessionCookie: Sendable, Equatable {
    let name: String
    private let isSecure: Bool

    /// No other host and no page under another path can set one that begins like this (RFC 6265bis, 4.1.3.2).
    static let secure = SessionCookie(name: "__Host-lectern", isSecure: true)
    /// The cookie of HTTP without TLS: on loopback, or where the operator's public URL says so.
    static let plain = SessionCookie(name: "lectern", isSecure: false)

    /// The maximum lifetime of a session.
    private static let secondsMax = Token.sessionDaysMax * 86_400

    /// The value of Set-Cookie that gives it.
    func given(_ secret: String) -> String { "\(name)=\(secret); Max-Age=\(Self.secondsMax)\(attributes)" }

    /// The value of Set-Cookie that takes it away.
    var taken: String { "\(name)=; Max-Age=0\(attributes)" }

    private var attributes: String { "; Path=/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "") }

    /// The secret that a request brings; nil for none, and for two, of which nobody knows which is meant.
    func secret(in request: borrowing Request) -> [UInt8]? { Cookies.value(of: name, in: request) }
}

import HTTPServer
import Model
import OpenID

/// A cookie that holds a secret. No script of a page can read it.
struct SecretCookie: Sendable, Equatable {
    let name: String
    private let attributes: String
    private let secondsMax: Int64

    /// The cookie of a browser's session, which only the service's own pages send.
    static let secureSession = session(isSecure: true)
    /// The session cookie without TLS: on loopback, or if the operator's public URL is one of HTTP.
    static let plainSession = session(isSecure: false)

    private static func session(isSecure: Bool) -> SecretCookie {
        SecretCookie("lectern", sameSite: "Strict", secondsMax: Token.sessionDaysMax * 86_400, isSecure: isSecure)
    }

    /// Returns the cookie that ties a sign-in at the identity provider to the browser that began it. The browser returns
    /// it with the provider's response, which is a navigation from another site. So it is `Lax`.
    static func attempt(isSecure: Bool) -> SecretCookie {
        SecretCookie("lectern-attempt", sameSite: "Lax", secondsMax: SignInAttempt.secondsMax, isSecure: isSecure)
    }

    private init(_ name: String, sameSite: String, secondsMax: Int64, isSecure: Bool) {
        // No other host and no page under another path can set a cookie with the prefix (RFC 6265bis, 4.1.3.2).
        self.name = isSecure ? "__Host-\(name)" : name
        attributes = "; Path=/; HttpOnly; SameSite=\(sameSite)" + (isSecure ? "; Secure" : "")
        self.secondsMax = secondsMax
    }

    /// Returns the value of `Set-Cookie` that sets the cookie.
    func setting(_ secret: String) -> String { "\(name)=\(secret); Max-Age=\(secondsMax)\(attributes)" }

    /// The value of `Set-Cookie` that deletes the cookie.
    var clearing: String { "\(name)=; Max-Age=0\(attributes)" }

    /// Returns the secret in a request (RFC 6265, 5.4). Returns `nil` if it is missing, empty or ambiguous because there
    /// are two.
    func secret(in request: borrowing Request) -> [UInt8]? {
        var (found, occurrence): ([UInt8]?, Int) = (nil, 0)
        while let field = request.field("cookie", occurrence: occurrence) {
            occurrence += 1
            for pair in bytes(of: field).split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop { $0 == UInt8(ascii: " ") }
                guard pair.starts(with: name.utf8), pair.dropFirst(name.utf8.count).first == UInt8(ascii: "=") else {
                    continue
                }
                if found != nil { return nil }
                found = Array(pair.dropFirst(name.utf8.count + 1))
            }
        }
        return found.flatMap { $0.isEmpty ? nil : $0 }
    }
}

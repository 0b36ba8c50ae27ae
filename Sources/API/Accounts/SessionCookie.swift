import HTTPServer

/// How a browser keeps a session: where no script of a page can read it, and only for the service's own pages.
struct SessionCookie: Sendable, Equatable {
    let name: String
    private let isSecure: Bool

    /// No other host and no page under another path can set one that begins like this (RFC 6265bis, 4.1.3.2).
    static let secure = SessionCookie(name: "__Host-lectern", isSecure: true)
    /// Where nothing leaves the machine.
    static let ofLoopback = SessionCookie(name: "lectern", isSecure: false)

    /// The longest that browsers keep one.
    private static let secondsMax = 400 * 86_400

    /// The value of Set-Cookie that gives it.
    func given(_ secret: String) -> String { "\(name)=\(secret); Max-Age=\(Self.secondsMax)\(attributes)" }

    /// The value of Set-Cookie that takes it away.
    var taken: String { "\(name)=; Max-Age=0\(attributes)" }

    private var attributes: String { "; Path=/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "") }

    /// The secret that a request brings; nil for none, and for two, of which nobody knows which is meant.
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

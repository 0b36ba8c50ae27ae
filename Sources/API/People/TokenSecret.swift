import Bytes
import Model

/// The text of a new token: 256 random bits. It is shown once, and only its digest is stored.
struct TokenSecret {
    /// The token's text: `lectern_` and 43 characters of base64url.
    let text: String

    /// Creates a random token. Secrets of other kinds have another prefix.
    init(prefix: String = "lectern_") {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<4).flatMap { _ in withUnsafeBytes(of: random.next() as UInt64) { Array($0) } }
        text = prefix + Base64URL.text(of: bytes)
    }

    /// Creates a token that an operator chose. Returns `nil` if the text is short enough to be guessed, or cannot be
    /// sent as a token.
    init?(chosen text: String) {
        let signs = text.utf8
        guard (Self.lengthMin...Self.lengthMax).contains(signs.count),
            signs.allSatisfy({ $0.isLetter || $0.isDigit || "-._~+/=".utf8.contains($0) })
        else { return nil }
        self.text = text
    }

    static let lengthMin = 32
    static let lengthMax = 512

    /// The digest, which is stored.
    var digest: SHA256Digest { Self.digest(of: text) }

    /// Returns the digest of a token in a request.
    static func digest(of text: String) -> SHA256Digest { SHA256.digest(of: Array(text.utf8)) }
}

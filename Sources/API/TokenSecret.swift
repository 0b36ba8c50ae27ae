import Bytes
import Model

/// The text of a new token: 256 random bits. It is shown once; only its digest is kept.
struct TokenSecret {
    /// `lectern_` and 43 characters of base64url.
    let text: String

    /// The text of something else that opens a door has another beginning.
    init(prefix: String = "lectern_") {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<4).flatMap { _ in withUnsafeBytes(of: random.next() as UInt64) { Array($0) } }
        text = prefix + Base64URL.text(of: bytes)
    }

    /// What an operator chose to be one: nil for what is too short to be no guess, or could not be sent as a token.
    init?(chosen text: String) {
        let signs = text.utf8
        guard (Self.lengthMin...Self.lengthMax).contains(signs.count),
            signs.allSatisfy({ $0.isLetter || $0.isDigit || "-._~+/=".utf8.contains($0) })
        else { return nil }
        self.text = text
    }

    static let lengthMin = 32
    static let lengthMax = 512

    /// What is stored.
    var digest: Digest { Self.digest(of: text) }

    /// What is stored of one that a request says.
    static func digest(of text: String) -> Digest { SHA256.digest(of: Array(text.utf8)) }
}

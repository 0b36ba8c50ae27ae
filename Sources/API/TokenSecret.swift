import Model

/// The text of a new token: 256 random bits. It is shown once; only its digest is kept.
struct TokenSecret {
    /// `lectern_` and 43 characters of base64url.
    let text: String

    /// The text of something else that opens a door has another beginning.
    init(prefix: String = "lectern_") {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<4).flatMap { _ in withUnsafeBytes(of: random.next() as UInt64) { Array($0) } }
        text = prefix + Self.base64url(bytes)
    }

    /// What is stored.
    var digest: Digest { SHA256.digest(of: Array(text.utf8)) }

    private static func base64url(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = []
        var (bits, count): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(alphabet[Int(bits >> count & 63)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << (6 - count) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }
}

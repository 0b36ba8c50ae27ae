import Bytes
internal import Model

/// A password, as somebody typed it.
package struct Password: Sendable {
    /// What crypt(3) is given: never the password itself, which may be longer than it takes, or have a NUL in it. It is as long for each
    /// password, so that the time says nothing of that.
    let phrase: String

    /// 8 to 1,024 bytes, in whatever normal form it was typed; nil for less or more. What a sign-in says is not judged: it is right or
    /// wrong.
    package init?(new text: String) {
        guard (Self.bytesMin...Self.bytesMax).contains(text.utf8.count) else { return nil }
        self.init(said: text)
    }

    /// The text is as long as a request's body lets it be.
    package init(said text: String) {
        let bytes = Array("lectern password\u{0}".utf8) + Array(Composition.canonical(text).utf8)
        phrase = Base64URL.text(of: SHA256.digest(of: bytes).bytes)
    }

    package static let bytesMin = 8
    package static let bytesMax = 1024
    /// What is refused otherwise.
    package static let rule = "must be \(bytesMin) to \(bytesMax) bytes long"
}

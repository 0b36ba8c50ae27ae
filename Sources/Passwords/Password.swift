import Bytes
internal import Model

/// A password, as a person typed it.
package struct Password: Sendable {
    /// The input of crypt(3). It is not the password itself, which may be too long or contain NUL. It has the same
    /// length for each password, so the time reveals nothing about that.
    let phrase: String

    /// Creates a new password of 8 to 1,024 bytes, in any normal form, or returns `nil` for another length. The length
    /// of a password at sign-in is not checked.
    package init?(new text: String) {
        guard (Self.bytesMin...Self.bytesMax).contains(text.utf8.count) else { return nil }
        self.init(given: text)
    }

    /// Creates a password at sign-in. The length of the request's body is its only limit.
    package init(given text: String) {
        let bytes = Array("lectern password\u{0}".utf8) + Array(UnicodeComposition.canonical(text).utf8)
        phrase = Base64URL.text(of: SHA256.digest(of: bytes).bytes)
    }

    package static let bytesMin = 8
    package static let bytesMax = 1024
    /// The rule in the refusal of a new password.
    package static let rule = "must be \(bytesMin) to \(bytesMax) bytes long"
}

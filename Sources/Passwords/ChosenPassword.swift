internal import Model

/// A new password, and the check of its strength (NIST SP 800-63B, 3.1.1.2). Passwords at sign-in are not checked.
package struct ChosenPassword: Sendable {
    /// The password itself.
    package let password: Password
    private let folded: String

    /// Creates a password of 8 to 1,024 bytes, or returns `nil` for another length.
    package init?(_ text: String) {
        guard let password = Password(new: text) else { return nil }
        self.password = password
        folded = Self.fold(text)
    }

    /// Folds a text: removes differences of case, width and normal form.
    private static func fold(_ text: String) -> String {
        UnicodeComposition.compatible(UnicodeComposition.compatible(text).lowercased())
    }

    /// The reason to refuse the password for any reader, or `nil` if it is acceptable.
    package var refusal: String? {
        if CommonPasswords.contains(folded) { return "is one of the most common passwords. Choose another one" }
        if matchesName(Self.serviceWords) { return "is a common choice for this service. Choose another one" }
        let scalars = Array(folded.unicodeScalars)
        let unit = Self.unit(of: scalars)
        let isRepeated = unit.count < scalars.count
        if PasswordPattern.pieces(of: scalars) < Self.piecesMin || isRepeated && unit.count <= Self.unitMax {
            return "must not be only sequences and repetitions, such as 12345678, qwertyui or abababab"
        }
        if isRepeated, CommonPasswords.contains(String(String.UnicodeScalarView(unit))) {
            return "repeats one of the most common passwords. Choose another one"
        }
        return nil
    }

    /// The words with which guesses at this service begin. Lists of leaked passwords contain most of them only by
    /// chance.
    private static let serviceWords = [
        "Lectern", "administrator", "administrators", "moderator", "moderators", "bookclub", "bookclubs", "readingclub",
        "readinggroup",
    ]
    /// The minimum number of sequences and single characters in a password.
    private static let piecesMin = 5
    /// The maximum length of a sequence that a password may not merely repeat.
    private static let unitMax = 4
    /// The minimum length of a name's word that is checked. Shorter ones occur in any password.
    private static let wordMin = 4

    /// Returns the shortest prefix whose repetition is the whole.
    private static func unit(of scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        let count = scalars.count
        let period = (1..<max(count, 1)).first { period in
            count % period == 0 && scalars.indices.dropFirst(period).allSatisfy { scalars[$0] == scalars[$0 - period] }
        }
        return Array(scalars.prefix(period ?? count))
    }

    /// Returns whether the password is one of these names, or a word of one, once or repeated. Digits and punctuation
    /// around it are ignored.
    package func matchesName(_ names: [String]) -> Bool {
        let own = Self.unit(of: Self.letters(folded, withDigits: false))
        let whole = Self.letters(folded, withDigits: true)
        return names.contains { name in
            let folded = Self.fold(name)
            if !whole.isEmpty, Self.letters(folded, withDigits: true) == whole { return true }
            let words = folded.unicodeScalars.split { !$0.properties.isAlphabetic }.map { Array($0) }
            let letters = [Self.letters(folded, withDigits: false)] + words.filter { $0.count >= Self.wordMin }
            return !own.isEmpty && letters.contains(own)
        }
    }

    private static func letters(_ text: String, withDigits: Bool) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { $0.properties.isAlphabetic || withDigits && $0.properties.numericType != nil }
    }
}

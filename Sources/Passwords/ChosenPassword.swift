internal import Model

/// A password that somebody chooses, with what is wrong with it (NIST SP 800-63B, 3.1.1.2). What is said to sign in is not judged.
package struct ChosenPassword: Sendable {
    /// The password itself.
    package let password: Password
    private let folded: String

    /// A password of 8 to 1,024 bytes; nil for less or more.
    package init?(_ text: String) {
        guard let password = Password(new: text) else { return nil }
        self.password = password
        folded = Self.fold(text)
    }

    /// Without differences of case, width and normal form.
    private static func fold(_ text: String) -> String {
        Composition.compatible(Composition.compatible(text).lowercased())
    }

    /// The reason to refuse it, whoever chooses it; nil for none.
    package var refusal: String? {
        if CommonPasswords.contains(folded) { return "is one of the most common passwords: choose another one" }
        if isNamed(Self.serviceWords) { return "is what many choose for this very service: choose another one" }
        let scalars = Array(folded.unicodeScalars)
        let unit = Self.unit(of: scalars)
        let isRepeated = unit.count < scalars.count
        if PasswordPattern.pieces(of: scalars) < Self.piecesMin || isRepeated && unit.count <= Self.unitMax {
            return "must not consist of sequences and repetitions, such as 12345678, qwertyui or abababab"
        }
        if isRepeated, CommonPasswords.contains(String(String.UnicodeScalarView(unit))) {
            return "repeats one of the most common passwords: choose another one"
        }
        return nil
    }

    /// Words that a guess at this service begins with; lists of leaked passwords have most of them only by chance.
    private static let serviceWords = [
        "Lectern", "administrator", "administrators", "moderator", "moderators", "bookclub", "bookclubs", "readingclub",
        "readinggroup",
    ]
    /// Sequences and single characters that a password has at least.
    private static let piecesMin = 5
    /// The maximum length of a sequence that a password may consist of, repeated.
    private static let unitMax = 4
    /// Shorter words of a name may be in any password.
    private static let wordMin = 4

    /// The shortest beginning of which the whole is a repetition.
    private static func unit(of scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        let count = scalars.count
        let period = (1..<max(count, 1)).first { period in
            count % period == 0 && scalars.indices.dropFirst(period).allSatisfy { scalars[$0] == scalars[$0 - period] }
        }
        return Array(scalars.prefix(period ?? count))
    }

    /// Returns whether it is one of these names, or a word of one, with digits and signs around it or without, once or repeated.
    package func isNamed(_ names: [String]) -> Bool {
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

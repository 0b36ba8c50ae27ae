/// The forms of a text for sorting.
enum SortText {
    /// Returns the folded words of a plain text, with numbers by value.
    static func words(ofPlain plain: String) -> [UInt8] { SortableNumber.byValue(folded(plain)) }

    /// Returns the folded words of a text, without case and accents. Sorting folds texts only in this function.
    static func folded(_ text: String) -> [UInt8] {
        SearchFold.words(of: text).bytes
    }

    /// Returns a text in compatible form, with apostrophes and hyphens as in ASCII.
    ///
    /// A letter with a stroke is a letter of its own. It becomes the plain letter and a letter that sorts after all
    /// possible continuations of the word.
    static func plain(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var plain = String.UnicodeScalarView()
        for scalar in UnicodeDecomposition.scalars(of: text) {
            if let like = likes[scalar.value] {
                plain.append(contentsOf: like.unicodeScalars)
            } else {
                plain.append(scalar)
            }
        }
        return String(plain)
    }

    private static let likes: [UInt32: String] = {
        // A letter of the Latin script, so the fold keeps it in its word. Only linguists use it.
        let last = "\u{A78F}"
        return [
            0x0141: "l" + last, 0x0142: "l" + last, 0x0110: "d" + last, 0x0111: "d" + last, 0x00D0: "d" + last,
            0x00F0: "d" + last, 0x0126: "h" + last, 0x0127: "h" + last, 0x00D8: "o" + last, 0x00F8: "o" + last,
            0x0166: "t" + last, 0x0167: "t" + last,
            0x2018: "'", 0x2019: "'", 0x201B: "'", 0x02BB: "'", 0x02BC: "'", 0x2032: "'", 0x05F3: "'",
            0x2010: "-", 0x05BE: "-",
        ]
    }()
}

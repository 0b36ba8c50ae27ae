import Bytes

/// A text for sorting: its words, and its letters with their marks where those differ.
struct SortText {
    /// The folded words, with numbers by value.
    let words: [UInt8]
    /// All letters with their marks, in lower case; `nil` if they equal the words.
    let marked: [UInt8]?

    /// Creates the text from the result of `plain`.
    init(plain: String) {
        let folded = Self.folded(plain)
        words = SortableNumber.byValue(folded)
        let isPlain = plain.utf8.allSatisfy { $0 < 0x80 }
        marked = isPlain ? nil : Self.marked(plain, unlike: folded)
    }

    /// Returns the folded words of a text, without case and accents. Sorting folds texts only in this function.
    static func folded(_ text: String) -> [UInt8] {
        SearchFold.words(of: text).bytes
    }

    /// Returns a text in compatible form, with digits, apostrophes and hyphens as in ASCII.
    ///
    /// A letter with a stroke is a letter of its own. It becomes the plain letter and a letter that sorts after all
    /// possible continuations of the word.
    static func plain(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var plain = String.UnicodeScalarView()
        for scalar in UnicodeDecomposition.scalars(of: text) {
            if scalar.isASCII {
                plain.append(scalar)
            } else if let like = likes[scalar.value] {
                plain.append(contentsOf: like.unicodeScalars)
            } else if scalar.properties.generalCategory == .decimalNumber {
                let digit = UInt8(scalar.properties.numericValue ?? 0)
                plain.append(Unicode.Scalar(UInt8(ascii: "0") + digit))
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
            0x2010: "-", 0x05BE: "-", 0x066C: ",",
        ]
    }()

    private static func marked(_ plain: String, unlike folded: [UInt8]) -> [UInt8]? {
        var letters: [UInt8] = []
        for scalar in plain.unicodeScalars {
            if scalar.isASCII {
                let byte = UInt8(scalar.value)
                if byte.isLetter || byte.isDigit { letters.append(byte.lowercased) }
                continue
            }
            let properties = scalar.properties
            switch properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark: break
            default: guard properties.isAlphabetic || properties.numericType != nil else { continue }
            }
            if !properties.isDefaultIgnorableCodePoint { letters += properties.lowercaseMapping.utf8 }
        }
        let words = folded.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "&") }
        if words == letters { return nil }
        if words.allSatisfy({ $0 < 0x80 }) { return letters }
        // Ignore how the fold composes the letters that it keeps.
        var decomposed = String.UnicodeScalarView()
        decomposed.append(contentsOf: UnicodeDecomposition.scalars(of: String(decoding: words, as: UTF8.self)))
        return String(decomposed).utf8.elementsEqual(letters) ? nil : letters
    }
}

/// The folding of a text into its searchable words: without case, width, marks and apostrophes, whatever its normal
/// form.
public enum SearchFold {
    /// The version of the fold.
    ///
    /// Increase it with each change of the result, of what else a `FoldedSearchText` contains (`AlternativeSpellings`), or of `BookSortKey`.
    /// The index and the sort keys of a database with another version are then rebuilt.
    public static let version: Int64 = 4

    /// Returns the folded words of a text. Texts that Unicode calls compatible give the same bytes.
    static func words(of text: String) -> FoldedWords {
        var words = FoldedWords()
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            for byte in text.utf8 { words.take(ascii: byte) }
        } else {
            let text = replacingAccents(text)
            for scalar in UnicodeDecomposition.scalars(of: text) {
                if scalar.isASCII { words.take(ascii: UInt8(scalar.value)) } else { take(scalar, &words) }
            }
        }
        words.finish()
        return words
    }

    /// Replaces accents that stand alone, which people type for an apostrophe. Decomposed, such an accent would be a
    /// space with a mark. Works by scalars, because as a character it has two.
    private static func replacingAccents(_ text: String) -> String {
        func isAccent(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{B4}" || scalar == "\u{1FFD}" }
        guard text.unicodeScalars.contains(where: isAccent) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isAccent($0) ? "'" : $0 }))
    }

    /// Folds a scalar.
    ///
    /// It drops the marks above and below letters, vowel points, tone marks, nuktas and format characters. It also
    /// drops apostrophes, so O'Brien is one word, also when it is typed without. It keeps the vowel signs and viramas
    /// of Indic scripts, the vowel signs of Thai, Lao and Tibetan, and dakuten: without them it would be another word.
    private static func take(_ scalar: Unicode.Scalar, _ words: inout FoldedWords) {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .otherLetter:
            // Except the fillers of Hangul, which are invisible.
            if !properties.isDefaultIgnorableCodePoint { add(scalar, &words) }
        case .lowercaseLetter:
            // `ß` becomes `ss`, and `ς` becomes `σ`.
            if properties.changesWhenCaseFolded { addSmall(scalar, &words) } else { add(scalar, &words) }
        case .uppercaseLetter, .titlecaseLetter: addSmall(scalar, &words)
        case .nonspacingMark, .spacingMark:
            switch properties.canonicalCombiningClass.rawValue {
            case 1, 7, 10...36, 107, 122, 200...: break
            default: if !properties.isDefaultIgnorableCodePoint { add(scalar, &words) }
            }
        case .decimalNumber: words.add(UInt8(ascii: "0") + UInt8(properties.numericValue ?? 0))
        case .enclosingMark: break
        default:
            if properties.isDefaultIgnorableCodePoint { return }
            if let ascii = punctuation(by: scalar) { return ascii == 0 ? () : words.take(ascii: ascii) }
            let isOfWords = properties.isAlphabetic || properties.numericType != nil
            if isOfWords { addSmall(scalar, &words) } else { words.end(by: .other) }
        }
    }

    /// Maps apostrophes, hyphens, dashes, spaces and the marks that end the title proper to one ASCII character each.
    /// Returns 0, for nothing, for the dot of the Catalan ela geminada, and for the Arabic tatweel, which only
    /// stretches.
    private static func punctuation(by scalar: Unicode.Scalar) -> UInt8? {
        switch scalar.value {
        case 0x00B7, 0x0387, 0x0640: 0
        case 0x2018, 0x2019, 0x201B, 0x02B9...0x02BC, 0x02BE, 0x02BF, 0x02C8, 0x055A, 0x05F3, 0x05F4, 0x2032:
            UInt8(ascii: "'")
        case 0x058A, 0x05BE, 0x2010...0x2015, 0x2212, 0x301C, 0x30A0: UInt8(ascii: "-")
        case 0x066B, 0x066C, 0x060C, 0x3001: UInt8(ascii: ",")
        case 0x3002: UInt8(ascii: ".")
        case 0x3008...0x3011, 0x3014...0x301B: UInt8(ascii: "(")
        default: scalar.properties.isWhitespace ? UInt8(ascii: " ") : nil
        }
    }

    /// Adds a letter by full case folding, whose result has letters only.
    private static func addSmall(_ scalar: Unicode.Scalar, _ words: inout FoldedWords) {
        for small in scalar.properties.lowercaseMapping.uppercased().lowercased().unicodeScalars {
            // `İ` leaves a combining dot.
            if small.properties.generalCategory != .nonspacingMark { add(small, &words) }
        }
    }

    private static func add(_ small: Unicode.Scalar, _ words: inout FoldedWords) {
        if let letters = plainLetters[small.value] {
            for byte in letters.utf8 { words.add(byte) }
        } else if let part = UnspacedScripts.part(small) {
            words.add(katakana(small), part)
        } else {
            for byte in UTF8.encode(small) ?? .init() { words.add(byte) }
        }
    }

    /// Maps hiragana to katakana.
    private static func katakana(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x3041...0x3096, 0x309D, 0x309E: Unicode.Scalar(scalar.value + 0x60) ?? scalar
        default: scalar
        }
    }

    /// Letters that no normal form splits, and Arabic ones that people type for each other.
    private static let plainLetters: [UInt32: String] = [
        0x0131: "i", 0x00E6: "ae", 0x0153: "oe", 0x00F8: "o", 0x0142: "l", 0x0111: "d", 0x00F0: "d", 0x00FE: "th",
        0x0127: "h", 0x0167: "t", 0x0259: "e", 0x0138: "k", 0x014B: "n", 0x0649: "\u{064A}", 0x06CC: "\u{064A}",
        0x06A9: "\u{0643}", 0x0629: "\u{0647}", 0x06C1: "\u{0647}", 0x06BE: "\u{0647}", 0x06D2: "\u{064A}",
        0x0671: "\u{0627}",
    ]
}

import Foundation

/// How a text becomes the words that it is searched by: without case, width, marks and apostrophes, whatever the form in
/// which it was typed.
public enum SearchFold {
    /// Which fold this is. Whoever changes what it gives raises it: an index with words of another fold is made anew.
    public static let version: Int64 = 2

    /// The folded words of a text in UTF-8, with one space between two of them. Of two texts that Unicode calls compatible
    /// they are the same bytes.
    static func words(of text: String) -> [UInt8] {
        var words = Words()
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            for byte in text.utf8 { words.take(ascii: byte) }
            return words.bytes
        }
        for scalar in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
            if scalar.isASCII { words.take(ascii: UInt8(scalar.value)) } else { take(scalar, &words) }
        }
        return words.bytes
    }

    /// What is dropped: marks over and under letters, vowel points, tone marks and nuktas; what formats; apostrophes, which
    /// join: O'Brien is one word, also when it is typed without. What stays are the vowel signs and viramas of Indic scripts,
    /// the vowel signs of Thai, Lao and Tibetan, and dakuten: without them it would be another word.
    private static func take(_ scalar: Unicode.Scalar, _ words: inout Words) {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .otherLetter:
            // All but the fillers of Hangul, which nobody sees.
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
            if isApostrophe(scalar) || properties.isDefaultIgnorableCodePoint { return }
            let isOfWords = properties.isAlphabetic || properties.numericType != nil
            if isOfWords { addSmall(scalar, &words) } else { words.end() }
        }
    }

    /// Apostrophes, what is typed for them, and the Arabic tatweel, which only stretches.
    private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2018, 0x2019, 0x201B, 0x02BB, 0x02BC, 0x05F3, 0x0640: true
        default: false
        }
    }

    /// By full case folding, whose result has letters only.
    private static func addSmall(_ scalar: Unicode.Scalar, _ words: inout Words) {
        for small in scalar.properties.lowercaseMapping.uppercased().lowercased().unicodeScalars { add(small, &words) }
    }

    private static func add(_ small: Unicode.Scalar, _ words: inout Words) {
        if let letters = plainLetters[small.value] {
            for byte in letters.utf8 { words.add(byte) }
        } else {
            for byte in UTF8.encode(katakana(small)) ?? .init() { words.add(byte) }
        }
    }

    /// Hiragana is read as katakana is.
    private static func katakana(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x3041...0x3096, 0x309D, 0x309E: Unicode.Scalar(scalar.value + 0x60) ?? scalar
        default: scalar
        }
    }

    /// Letters that no normal form splits, and Arabic ones that are typed for each other.
    private static let plainLetters: [UInt32: String] = [
        0x0131: "i", 0x00E6: "ae", 0x0153: "oe", 0x00F8: "o", 0x0142: "l", 0x0111: "d", 0x00F0: "d", 0x00FE: "th",
        0x0127: "h",
        0x0167: "t", 0x0649: "\u{064A}", 0x06CC: "\u{064A}", 0x06A9: "\u{0643}", 0x0629: "\u{0647}",
        0x06C1: "\u{0647}", 0x0671: "\u{0627}",
    ]

    /// Words as they are put together.
    private struct Words {
        private(set) var bytes: [UInt8] = []
        private var isBetween = false

        mutating func add(_ byte: UInt8) {
            if isBetween, !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
            isBetween = false
            bytes.append(byte)
        }

        mutating func end() { isBetween = true }

        mutating func take(ascii byte: UInt8) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): add(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): add(byte | 0x20)
            case UInt8(ascii: "'"): break
            default: end()
            }
        }
    }
}

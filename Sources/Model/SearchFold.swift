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

    private static func take(_ scalar: Unicode.Scalar, _ words: inout Words) {
        let properties = scalar.properties
        guard !isDropped(scalar, properties) else { return }
        guard isOfWords(properties) else { return words.end() }
        if properties.numericType == .decimal, let digit = properties.numericValue {
            return words.add(UInt8(ascii: "0") + UInt8(digit))
        }
        // Full case folding: that of `ß` and `ẞ` is `ss`, that of `ς` is `σ`, that of `ı` is `i`.
        for small in properties.lowercaseMapping.uppercased().lowercased().unicodeScalars {
            if let letters = plainLetters[small.value] {
                for byte in letters.utf8 { words.add(byte) }
            } else {
                for byte in UTF8.encode(katakana(small)) ?? .init() { words.add(byte) }
            }
        }
    }

    private static func isOfWords(_ properties: Unicode.Scalar.Properties) -> Bool {
        if properties.isAlphabetic || properties.numericType != nil { return true }
        return properties.generalCategory == .nonspacingMark || properties.generalCategory == .spacingMark
    }

    /// Marks over and under letters, vowel points, tone marks and nuktas; what formats; apostrophes, which join: O'Brien is
    /// one word, also when it is typed without. What stays are the vowel signs and viramas of Indic scripts, the vowel
    /// signs of Thai, Lao and Tibetan, and dakuten: without them it would be another word.
    private static func isDropped(_ scalar: Unicode.Scalar, _ properties: Unicode.Scalar.Properties) -> Bool {
        switch properties.canonicalCombiningClass.rawValue {
        case 1, 7, 10...36, 107, 122, 200...: return true
        default: break
        }
        switch scalar.value {
        // Apostrophes and what is typed for them; the Arabic tatweel, which only stretches.
        case 0x2018, 0x2019, 0x201B, 0x02BB, 0x02BC, 0x05F3, 0x0640: return true
        default: return properties.isDefaultIgnorableCodePoint || properties.generalCategory == .enclosingMark
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
        0x00E6: "ae", 0x0153: "oe", 0x00F8: "o", 0x0142: "l", 0x0111: "d", 0x00F0: "d", 0x00FE: "th", 0x0127: "h",
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

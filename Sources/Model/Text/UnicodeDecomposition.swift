import Bytes
internal import CTables

/// The decomposition of a text into the form that all compatible texts share (UAX 15, NFKD, of Unicode 15).
///
/// Foundation does that, too, but brings all of ICU with it, which is larger than the rest of the program.
enum UnicodeDecomposition {
    /// The parts of the scalars that have some, except the syllables of Hangul.
    private static let table: [UInt32: [Unicode.Scalar]] = {
        var table: [UInt32: [Unicode.Scalar]] = [:]
        var (key, number): (UInt32, UInt32) = (0, 0)
        for byte in UnsafeBufferPointer(start: lectern_decompositions(), count: lectern_decompositions_count()) {
            if let digit = byte.hexValue {
                number = number << 4 | UInt32(digit)
            } else {
                // A scalar ends with a colon, and each of its parts with another byte.
                if byte == UInt8(ascii: ":") {
                    key = number
                } else if let part = Unicode.Scalar(number) {
                    table[key, default: []].append(part)
                }
                number = 0
            }
        }
        return table
    }()

    /// Returns the scalars of a text, decomposed, with marks in canonical order.
    static func scalars(of text: String) -> [Unicode.Scalar] {
        var taken: [Unicode.Scalar] = []
        taken.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if scalar.isASCII { taken.append(scalar) } else { append(scalar, to: &taken) }
        }
        order(&taken)
        return taken
    }

    private static func append(_ scalar: Unicode.Scalar, to taken: inout [Unicode.Scalar]) {
        if (0xAC00...0xD7A3).contains(scalar.value) { return append(syllable: scalar.value - 0xAC00, to: &taken) }
        taken += table[scalar.value] ?? [scalar]
    }

    /// Appends the letters of a Hangul syllable, which follow from its number.
    private static func append(syllable: UInt32, to taken: inout [Unicode.Scalar]) {
        let letters = [0x1100 + syllable / 588, 0x1161 + syllable % 588 / 28, 0x11A7 + syllable % 28]
        for letter in syllable % 28 == 0 ? letters.dropLast() : letters[...] {
            if let letter = Unicode.Scalar(letter) { taken.append(letter) }
        }
    }

    /// Sorts consecutive marks by their combining class. Marks of one class keep their order.
    private static func order(_ taken: inout [Unicode.Scalar]) {
        func rank(_ scalar: Unicode.Scalar) -> UInt8 {
            scalar.value < 0x300 ? 0 : scalar.properties.canonicalCombiningClass.rawValue
        }
        var first = 0
        while first < taken.count {
            guard rank(taken[first]) != 0 else {
                first += 1
                continue
            }
            let end = taken[first...].firstIndex { rank($0) == 0 } ?? taken.count
            let isOrdered = zip(taken[first..<end], taken[(first + 1)..<end]).allSatisfy { rank($0) <= rank($1) }
            if !isOrdered { taken[first..<end].sort { rank($0) < rank($1) } }
            first = end
        }
    }
}

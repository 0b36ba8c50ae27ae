import Bytes
internal import CTables
@_spi(_Unicode) import Swift

/// The decomposition of a text into the form that all compatible texts share (UAX 15, NFKD).
///
/// Foundation does that, too, but brings all of ICU with it, which is larger than the rest of the program. The standard
/// library has only the canonical decomposition, without compatible characters.
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
        var parts = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if !scalar.isASCII, let several = table[scalar.value] {
                parts.append(contentsOf: several)
            } else {
                parts.append(scalar)
            }
        }
        // The standard library decomposes the syllables of Hangul, and sorts the marks.
        return Array(String(parts)._nfd)
    }
}

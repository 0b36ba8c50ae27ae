import Bytes

/// The reading of escapes and UTF-8 sequences.
extension Span<UInt8> {
    /// Returns the UTF-16 unit of the `\uXXXX` at an index, or `nil` if there is none.
    func hexUnit(at index: Int) -> UInt16? {
        guard index + 6 <= count, self[index] == UInt8(ascii: "\\"), self[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var unit: UInt16 = 0
        for digit in index + 2..<index + 6 {
            guard let value = self[digit].hexValue else { return nil }
            unit = unit << 4 | UInt16(value)
        }
        return unit
    }

    /// Returns the length of the non-ASCII UTF-8 sequence at an index, 2…4, or 0 if it is invalid.
    ///
    /// It accepts exactly the sequences of table 3-7 of the Unicode standard: none overlong, no surrogates, none beyond
    /// U+10FFFF.
    @inline(__always)
    func sequenceLength(at index: Int) -> Int {
        func continues(_ offset: Int) -> Bool { self[index + offset] & 0xC0 == 0x80 }
        let (first, left) = (self[index], count - index)
        switch first {
        case 0xC2...0xDF: return left >= 2 && continues(1) ? 2 : 0
        case 0xE0...0xEF:
            guard left >= 3, continues(1), continues(2) else { return 0 }
            let isRefused = first == 0xE0 && self[index + 1] < 0xA0 || first == 0xED && self[index + 1] > 0x9F
            return isRefused ? 0 : 3
        case 0xF0...0xF4:
            guard left >= 4, continues(1), continues(2), continues(3) else { return 0 }
            let isRefused = first == 0xF0 && self[index + 1] < 0x90 || first == 0xF4 && self[index + 1] > 0x8F
            return isRefused ? 0 : 4
        default: return 0
        }
    }
}

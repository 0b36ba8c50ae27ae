/// The ASCII classes of a byte; bytes above 127 belong to none.
extension UInt8 {
    @inlinable package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// A Boolean value indicating whether the byte is A to Z, in either case.
    @inlinable package var isLetter: Bool { lowercased &- UInt8(ascii: "a") < 26 }

    @inlinable package var lowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }

    /// The value of the byte as a hexadecimal digit in either case, or `nil` if it is not one.
    @inlinable package var hexValue: UInt8? {
        if isDigit { return self &- UInt8(ascii: "0") }
        let letter = lowercased &- UInt8(ascii: "a")
        return letter < 6 ? letter &+ 10 : nil
    }
}

/// Returns the eight hexadecimal digits of a number as bytes in memory, the first digit first.
///
/// It computes all digits at once: it spreads the half bytes over eight bytes, and moves those above 9 up to the
/// letters.
@inlinable package func hexDigits(_ value: UInt32) -> UInt64 {
    var spread = UInt64(value)
    spread = (spread << 16 | spread) & 0x0000_FFFF_0000_FFFF
    spread = (spread << 8 | spread) & 0x00FF_00FF_00FF_00FF
    spread = (spread << 4 | spread) & 0x0F0F_0F0F_0F0F_0F0F
    let letters = (spread &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return (spread &+ 0x3030_3030_3030_3030 &+ letters &* 0x27).bigEndian
}

/// Returns the number of eight hexadecimal digits, given as bytes in memory, or `nil` for other bytes. With `anyCase`,
/// the letters can be upper-case. The inverse of `hexDigits`.
@inlinable package func hexNumber(_ digits: UInt64, anyCase: Bool) -> UInt32? {
    let text = digits.bigEndian
    let letters = text >> 6 & 0x0101_0101_0101_0101
    var packed = text & 0x0F0F_0F0F_0F0F_0F0F &+ letters &* 9
    packed = (packed >> 4 | packed) & 0x00FF_00FF_00FF_00FF
    packed = (packed >> 8 | packed) & 0x0000_FFFF_0000_FFFF
    let number = UInt32(truncatingIfNeeded: packed >> 16 | packed)
    // Other bytes gave a number that has other digits.
    return hexDigits(number).bigEndian == (anyCase ? text | letters << 5 : text) ? number : nil
}

/// The only parser of numbers from outside: digits only (no sign, no space, no `0x`), bounded, never trapping.
package enum DigitParser {
    /// Parses a decimal number from 0 to `max`. Returns `nil` if the text is empty, contains other characters, or the
    /// number is greater.
    package static func decimal(_ text: RawSpan, max: Int) -> Int? {
        if text.isEmpty { return nil }
        var value = 0
        for offset in text.byteOffsets {
            let byte = text.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            guard byte.isDigit else { return nil }
            let (tens, overflowTens) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowSum) = tens.addingReportingOverflow(Int(byte &- UInt8(ascii: "0")))
            if overflowTens || overflowSum || sum > max { return nil }
            value = sum
        }
        return value
    }

    /// Parses a decimal number, clamped to `most` however long it is. Returns `nil` if the text is empty or contains
    /// other characters.
    package static func decimal(_ text: RawSpan, upTo most: Int) -> Int? {
        for offset in text.byteOffsets where !text.unsafeLoad(fromByteOffset: offset, as: UInt8.self).isDigit {
            return nil
        }
        return text.isEmpty ? nil : decimal(text, max: most) ?? most
    }
}

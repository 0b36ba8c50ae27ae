/// The one parser of numbers from outside: digits only (no sign, no space, no `0x`), bounded, never trapping.
package enum Digits {
    /// A decimal number from 0 to `max`; nil when it is empty, has anything but digits in it, or is greater.
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

    /// A decimal number, `most` for every greater one, however long; nil when it is empty or has anything but digits in it.
    package static func decimal(_ text: RawSpan, upTo most: Int) -> Int? {
        for offset in text.byteOffsets where !text.unsafeLoad(fromByteOffset: offset, as: UInt8.self).isDigit {
            return nil
        }
        return text.isEmpty ? nil : decimal(text, max: most) ?? most
    }
}

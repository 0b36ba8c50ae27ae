/// The one parser of numbers from outside: digits only (no sign, no space, no `0x`), bounded, never trapping.
package enum Digits {
    /// A decimal number from 0 to `max`; nil when it is empty, has anything but digits in it, or is greater.
    package static func decimal(_ text: RawSpan, max: Int) -> Int? {
        decimal(text.bytes, max: max)
    }

    /// A decimal number, `most` for every greater one, however long; nil when it is empty or has anything but digits in it.
    static func decimal(_ text: Span<UInt8>, upTo most: Int) -> Int? {
        for index in text.indices where !ASCII.isDigit(text[index]) { return nil }
        return text.isEmpty ? nil : decimal(text, max: most) ?? most
    }

    static func decimal(_ text: Span<UInt8>, max: Int) -> Int? {
        if text.isEmpty { return nil }
        var value = 0
        for index in text.indices {
            let byte = text[index]
            guard ASCII.isDigit(byte) else { return nil }
            let (tens, overflowTens) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowSum) = tens.addingReportingOverflow(Int(byte &- 48))
            if overflowTens || overflowSum || sum > max { return nil }
            value = sum
        }
        return value
    }
}

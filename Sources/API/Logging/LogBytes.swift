/// Appending to a line without intermediate strings.
extension [UInt8] {
    mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(decimal value: Int) {
        if value < 0 { append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var start = 20
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            append(contentsOf: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(digits)[start...]))
        }
    }

    /// Appends a duration as milliseconds with three decimals.
    mutating func append(milliseconds nanoseconds: Int64) {
        let microseconds = Int(nanoseconds / 1000)
        append(decimal: microseconds / 1000)
        append(UInt8(ascii: "."))
        let fraction = microseconds % 1000
        append(UInt8(ascii: "0") + UInt8(fraction / 100))
        append(UInt8(ascii: "0") + UInt8(fraction / 10 % 10))
        append(UInt8(ascii: "0") + UInt8(fraction % 10))
    }
}

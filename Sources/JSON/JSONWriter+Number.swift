extension JSONWriter {
    public mutating func integer(_ value: Int64) {
        let isFirst = isFirst
        append(21) { slot in
            if !isFirst { slot.put(UInt8(ascii: ",")) }
            if value < 0 { slot.put(UInt8(ascii: "-")) }
            slot.put(digitsOf: value.magnitude)
        }
    }

    public mutating func integer(_ value: Int) { integer(Int64(value)) }

    /// Writes a whole number of millionths as the shortest decimal: 430,000 as `0.43`, 1,000,000 as `1`.
    public mutating func decimal(millionths: Int) {
        let isFirst = isFirst
        let (whole, fraction) = UInt64(millionths.magnitude).quotientAndRemainder(dividingBy: 1_000_000)
        append(24) { slot in
            if !isFirst { slot.put(UInt8(ascii: ",")) }
            if millionths < 0 { slot.put(UInt8(ascii: "-")) }
            slot.put(digitsOf: whole)
            guard fraction > 0 else { return }
            slot.put(UInt8(ascii: "."))
            var (rest, place) = (fraction, UInt64(100_000))
            while rest > 0 {
                slot.put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / place))
                rest %= place
                place /= 10
            }
        }
    }
}

extension JSONOutputSlot {
    @inline(__always)
    mutating func put(digitsOf value: UInt64) {
        guard value >= 10 else { return put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value)) }
        var digits = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
        var (rest, first) = (value, 20)
        while rest > 0 {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
            rest = quotient
        }
        for index in first..<20 { put(digits[index]) }
    }
}

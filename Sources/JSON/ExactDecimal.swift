/// The exact value of a number's text: ±`digits` × 10^`exponent`.
///
/// `digits` does not end in zero, unless the number is zero. Equal numbers therefore have equal decimals, however they
/// are written.
struct ExactDecimal: Equatable {
    private(set) var isNegative = false
    private(set) var digits: UInt64 = 0
    private(set) var exponent = 0

    /// Reads a number that the parser has accepted. Returns `nil` if it has more digits than a UInt64 holds, or an
    /// exponent beyond ±10,000.
    init?(_ text: Span<UInt8>) {
        var zeros = 0
        var scale = 0
        var index = 0
        var isFraction = false
        scan: while index < text.count {
            let byte = text[index]
            index += 1
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "0"):
                zeros += 1
                scale -= isFraction ? 1 : 0
            case UInt8(ascii: "1")...UInt8(ascii: "9"):
                scale -= isFraction ? 1 : 0
                guard append(byte &- UInt8(ascii: "0"), after: zeros) else { return nil }
                zeros = 0
            default: break scan
            }
        }
        guard digits != 0 else {
            isNegative = false
            return
        }
        guard let written = Self.exponent(text, from: index) else { return nil }
        exponent = written + scale + zeros
    }

    /// Appends a digit after a number of zeros. Returns `false` if there are too many digits.
    private mutating func append(_ digit: UInt8, after zeros: Int) -> Bool {
        if digits != 0 {
            for _ in 0...zeros {
                let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
                if overflow { return false }
                digits = product
            }
        }
        let (sum, overflow) = digits.addingReportingOverflow(UInt64(digit))
        digits = sum
        return !overflow
    }

    /// Returns the exponent whose sign or first digit is at an index: 0 at the end of the text, `nil` beyond ±10,000.
    private static func exponent(_ text: Span<UInt8>, from start: Int) -> Int? {
        var value = 0
        var isNegative = false
        for index in start..<max(text.count, start) {
            switch text[index] {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "+"): break
            case let byte:
                value = value * 10 + Int(byte &- UInt8(ascii: "0"))
                guard value <= 10_000 else { return nil }
            }
        }
        return isNegative ? -value : value
    }

    /// The value as an integer, or `nil` if it is not whole or does not fit.
    var integer: Int64? {
        guard (0...19).contains(exponent) else { return nil }
        var magnitude = digits
        for _ in 0..<exponent {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            magnitude = product
        }
        if isNegative { return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
        return Int64(exactly: magnitude)
    }
}

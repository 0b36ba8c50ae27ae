import Bytes

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
    init?(_ text: String) {
        let parts = text.utf8.split { $0 | 0x20 == UInt8(ascii: "e") }
        let written = parts[0].filter(\.isDigit)
        let zeros = written.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        guard zeros < written.count else { return }
        guard let digits = UInt64(String(decoding: written.dropLast(zeros), as: UTF8.self)),
            let scale = parts.count > 1 ? Int(Substring(parts[1])) : 0, (-10_000...10_000).contains(scale)
        else { return nil }
        isNegative = text.utf8.first == UInt8(ascii: "-")
        self.digits = digits
        exponent = scale + zeros - parts[0].drop { $0 != UInt8(ascii: ".") }.dropFirst().count
    }

    /// The value as an integer, or `nil` if it is not whole or does not fit.
    var integer: Int64? {
        guard (0...19).contains(exponent) else { return nil }
        return Int64("\(isNegative ? "-" : "")\(digits)\(String(repeating: "0", count: exponent))")
    }
}

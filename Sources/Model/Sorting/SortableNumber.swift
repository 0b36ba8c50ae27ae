import Bytes

/// Numbers in texts, encoded to sort by value.
enum SortableNumber {
    /// Prefixes each run of digits in folded words with its number of digits: 7 becomes `17`, and 1984 becomes `41984`.
    /// The smaller number thus comes first, and all numbers come before letters. From nine digits
    /// on, their number is written as one 9 for each nine digits, then the rest.
    static func byValue(_ folded: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = folded[...]
        while let start = rest.firstIndex(where: \.isDigit) {
            result += rest[..<start]
            let end = rest[start...].firstIndex { !$0.isDigit } ?? rest.endIndex
            // Zero keeps its last digit.
            let first = rest[start..<end - 1].firstIndex { $0 != UInt8(ascii: "0") } ?? end - 1
            let (nines, digits) = (end - first).quotientAndRemainder(dividingBy: 9)
            result += repeatElement(UInt8(ascii: "9"), count: nines) + [UInt8(ascii: "0") + UInt8(digits)]
            result += rest[first..<end]
            rest = rest[end...]
        }
        return result + rest
    }
}

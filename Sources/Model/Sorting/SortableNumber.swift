import Bytes

/// Numbers in texts, encoded to sort by value.
enum SortableNumber {
    /// Prefixes each run of digits in folded words with its number of digits: 7 becomes `17`, and 1984 becomes `41984`.
    /// The smaller number thus comes first, and all numbers come before letters. From nine digits
    /// on, their number is written as one 9 for each nine digits, then the rest.
    static func byValue(_ folded: [UInt8]) -> [UInt8] {
        guard folded.contains(where: \.isDigit) else { return folded }
        var result: [UInt8] = []
        var index = 0
        while index < folded.count {
            guard folded[index].isDigit else {
                result.append(folded[index])
                index += 1
                continue
            }
            let end = endOfDigits(folded, from: index)
            while index + 1 < end, folded[index] == UInt8(ascii: "0") { index += 1 }
            var count = end - index
            while count >= 9 {
                result.append(UInt8(ascii: "9"))
                count -= 9
            }
            result.append(UInt8(ascii: "0") + UInt8(count))
            result += folded[index..<end]
            index = end
        }
        return result
    }

    /// Removes separators of thousands from a text: `20,000`, `20.000`, `20 000` and `20'000`.
    static func joiningThousands(_ text: String) -> String {
        guard hasSeparatedDigits(text) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard bytes[index].isDigit else {
                result.append(bytes[index])
                index += 1
                continue
            }
            let end = endOfDigits(bytes, from: index)
            result += bytes[index..<end]
            var next = end
            if end - index <= 3, bytes[index] != UInt8(ascii: "0"), end < bytes.count, isSeparator(bytes[end]) {
                while next < bytes.count, bytes[next] == bytes[end], endOfDigits(bytes, from: next + 1) == next + 4 {
                    result += bytes[next + 1..<next + 4]
                    next += 4
                }
            }
            index = next
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func hasSeparatedDigits(_ text: String) -> Bool {
        var before: (UInt8, UInt8) = (0, 0)
        for byte in text.utf8 {
            if byte.isDigit, isSeparator(before.1), before.0.isDigit { return true }
            before = (before.1, byte)
        }
        return false
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: " "), UInt8(ascii: "'"): true
        default: false
        }
    }

    private static func endOfDigits(_ bytes: [UInt8], from start: Int) -> Int {
        var end = start
        while end < bytes.count, bytes[end].isDigit { end += 1 }
        return end
    }
}

import Bytes

extension BookColumns {
    /// Takes the series off a title that Goodreads wrote: "The Final Empire (Mistborn, #1)".
    ///
    /// Only parentheses at the end with a number in a series are one.
    static func withoutSeries(_ title: String) -> (title: String, series: String?) {
        let bytes = Array(title.utf8)
        guard bytes.last == UInt8(ascii: ")") else { return (title, nil) }
        var depth = 0
        for index in bytes.indices.reversed() {
            if bytes[index] == UInt8(ascii: ")") { depth += 1 }
            if bytes[index] == UInt8(ascii: "(") { depth -= 1 }
            guard depth == 0 else { continue }
            let inner = bytes[index...]
            let hasNumber = inner.indices.dropLast().contains {
                inner[$0] == UInt8(ascii: "#") && inner[$0 + 1].isDigit
            }
            var end = index
            while end > 0, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
            guard hasNumber, end > 0, end < index else { return (title, nil) }
            return (String(decoding: bytes[..<end], as: UTF8.self), String(decoding: inner, as: UTF8.self))
        }
        return (title, nil)
    }

    /// Whether a text was meant to be an ISBN, right or wrong: StoryGraph writes numbers of its own in the same column.
    static func isLikeISBN(_ text: String) -> Bool {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        return [10, 13].contains(digits.count) && digits.dropLast().allSatisfy(\.isDigit)
    }
}

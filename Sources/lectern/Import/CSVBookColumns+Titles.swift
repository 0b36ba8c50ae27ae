import Bytes

extension CSVBookColumns {
    /// Splits the series from a title that Goodreads wrote: "The Final Empire (Mistborn, #1)".
    ///
    /// Only parentheses at the end that contain a series number count.
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

    /// Returns whether a text looks like an ISBN, valid or not. StoryGraph writes its own numbers in the same column.
    static func isLikeISBN(_ text: String) -> Bool {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        return [10, 13].contains(digits.count) && digits.dropLast().allSatisfy(\.isDigit)
    }
}

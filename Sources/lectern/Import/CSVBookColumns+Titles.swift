import Bytes

extension CSVBookColumns {
    /// Splits the series from a title that Goodreads wrote: "The Final Empire (Mistborn, #1)".
    ///
    /// Only parentheses at the end that contain a series number count. They may contain other parentheses.
    static func withoutSeries(_ title: String) -> (title: String, series: String?) {
        let pattern = /(.*[^ ]) +(\((?:[^()]|\([^()]*\))*#[0-9](?:[^()]|\([^()]*\))*\))/
        guard title.hasSuffix(")"), let parts = title.wholeMatch(of: pattern) else { return (title, nil) }
        return (String(parts.1), String(parts.2))
    }

    /// Returns whether a text looks like an ISBN, valid or not. StoryGraph writes its own numbers in the same column.
    static func isLikeISBN(_ text: String) -> Bool {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        return [10, 13].contains(digits.count) && digits.dropLast().allSatisfy(\.isDigit)
    }
}

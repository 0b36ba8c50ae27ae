import Bytes

/// Preferences (RFC 7240). The first of several applies; malformed ones are ignored.
package enum PreferField {
    /// Returns the seconds of `Prefer: wait=20`, limited to `max`, or `nil` if there is none.
    package static func wait(_ request: borrowing Request, max: Int) -> Int? {
        var seconds: Int?
        request.forEachElement(of: "prefer") { element in
            var parts = CommaSeparatedField(element, separator: ASCII.semicolon)
            guard seconds == nil, let first = parts.next(), first.count > 5,
                first.extracting(0..<5).equalsIgnoringCase("wait=")
            else { return }
            seconds = DigitParser.decimal(first.extracting(5..<first.count).bytes, upTo: max)
        }
        return seconds
    }

    /// Returns whether the first preference `return` is `minimal`.
    package static func returnsMinimal(_ request: borrowing Request) -> Bool {
        var isMinimal: Bool?
        request.forEachElement(of: "prefer") { element in
            var parts = CommaSeparatedField(element, separator: ASCII.semicolon)
            guard isMinimal == nil, let first = parts.next(), first.count > 7,
                first.extracting(0..<7).equalsIgnoringCase("return=")
            else { return }
            isMinimal = first.equalsIgnoringCase("return=minimal") || first.equalsIgnoringCase("return=\"minimal\"")
        }
        return isMinimal ?? false
    }
}

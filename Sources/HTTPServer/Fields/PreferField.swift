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

    /// Returns whether a preference is present, without a value or with exactly this one, such as `return=minimal`.
    package static func has(_ request: borrowing Request, _ preference: StaticString) -> Bool {
        var isThere = false
        request.forEachElement(of: "prefer") { element in
            var parts = CommaSeparatedField(element, separator: ASCII.semicolon)
            if let first = parts.next(), first.equalsIgnoringCase(preference) { isThere = true }
        }
        return isThere
    }
}

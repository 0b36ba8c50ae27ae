import Bytes

/// Preferences (RFC 7240). The first of several applies; malformed ones are ignored.
package enum PreferField {
    /// Returns the seconds of `Prefer: wait=20`, limited to `max`, or `nil` if there is none.
    package static func wait(_ request: borrowing Request, max: Int) -> Int? {
        first("wait", of: request) { DigitParser.decimal($0.bytes, upTo: max) }
    }

    /// Returns whether the first preference `return` is `minimal`.
    package static func returnsMinimal(_ request: borrowing Request) -> Bool {
        first("return", of: request) { $0.equalsIgnoringCase("minimal") } ?? false
    }

    /// Returns what `read` makes of the value of the first preference with a name for which it returns a value. The
    /// value may be a quoted string.
    private static func first<Value>(
        _ name: StaticString, of request: borrowing Request, _ read: (Span<UInt8>) -> Value?
    ) -> Value? {
        var found: Value?
        request.forEachElement(of: "prefer") { element in
            var parts = CommaSeparatedField(element, separator: ASCII.semicolon)
            guard found == nil, let first = parts.next() else { return }
            var pair = CommaSeparatedField(first, separator: ASCII.equals)
            guard let given = pair.next(), given.equalsIgnoringCase(name), let value = pair.next() else { return }
            let isQuoted = value.count > 1 && value[0] == ASCII.quote && value[value.count - 1] == ASCII.quote
            found = read(isQuoted ? value.extracting(1..<value.count - 1) : value)
        }
        return found
    }
}

import Bytes

/// Preferences (RFC 7240). The first of several applies; malformed ones are ignored.
package enum PreferField {
    /// Returns the seconds of `Prefer: wait=20`, limited to `max`, or `nil` if there is none.
    package static func wait(_ request: borrowing Request, max: Int) -> Int? {
        var occurrence = 0
        while let value = request.field("prefer", occurrence: occurrence) {
            if let seconds = wait(value.bytes, max: max) { return seconds }
            occurrence += 1
        }
        return nil
    }

    /// Returns whether a preference is present, without a value or with exactly this one, such as `return=minimal`.
    package static func has(_ request: borrowing Request, _ preference: StaticString) -> Bool {
        var occurrence = 0
        while let value = request.field("prefer", occurrence: occurrence) {
            var elements = CommaSeparatedField(value.bytes)
            while let element = elements.next() {
                var parts = CommaSeparatedField(element, separator: ASCII.semicolon)
                if let first = parts.next(), first.equalsIgnoringCase(preference) { return true }
            }
            occurrence += 1
        }
        return false
    }

    private static func wait(_ value: Span<UInt8>, max: Int) -> Int? {
        var elements = CommaSeparatedField(value)
        while let element = elements.next() {
            var parts = CommaSeparatedField(element, separator: ASCII.semicolon)
            guard let first = parts.next(), first.count > 5, first.extracting(0..<5).equalsIgnoringCase("wait=") else {
                continue
            }
            if let seconds = DigitParser.decimal(first.extracting(5..<first.count).bytes, upTo: max) { return seconds }
        }
        return nil
    }
}

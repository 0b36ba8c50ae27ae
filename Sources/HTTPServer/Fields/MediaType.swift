import Bytes

/// Media types in `Content-Type` and `Accept` (RFC 9110, 8.3.1 and 12.5.1). Quality is in thousandths.
package enum MediaType {
    /// Returns whether a `Content-Type` value is this type, ignoring parameters.
    package static func matches(_ contentType: RawSpan, _ type: StaticString) -> Bool {
        let bytes = contentType.bytes
        var end = 0
        while end < bytes.count, bytes[end] != ASCII.semicolon { end += 1 }
        return bytes.extracting(0..<end).trimmed().equalsIgnoringCase(type)
    }

    /// Returns the client's preference for a type, from 0 (refused) to 1000. Without an Accept field every type has
    /// 1000. The most specific range decides. Malformed elements are ignored; parameters of a range are, too.
    package static func quality(_ type: StaticString, _ request: borrowing Request) -> Int {
        request.field("accept") == nil ? 1000 : Preference(for: type, of: request).quality
    }

    /// Returns whether the client names exactly this type in Accept, without a wildcard, and does not refuse it.
    package static func isNamed(_ type: StaticString, _ request: borrowing Request) -> Bool {
        let preference = Preference(for: type, of: request)
        return preference.specificity == 3 && preference.quality > 0
    }

    /// The best match for one type in the Accept fields of a request.
    private struct Preference {
        private(set) var specificity = 0
        private(set) var quality = 0

        init(for type: StaticString, of request: borrowing Request) {
            request.forEachElement(of: "accept") { take($0, type) }
        }

        private mutating func take(_ element: Span<UInt8>, _ type: StaticString) {
            var parts = CommaSeparatedField(element, separator: ASCII.semicolon)
            guard let range = parts.next() else { return }
            let specificity = MediaType.specificity(range, type)
            guard specificity > 0, specificity >= self.specificity else { return }
            var quality: Int? = 1000
            while let parameter = parts.next() {
                if parameter.count >= 2, parameter[0].lowercased == UInt8(ascii: "q"), parameter[1] == ASCII.equals {
                    quality = MediaType.thousandths(parameter.extracting(2..<parameter.count))
                }
            }
            guard let quality else { return }
            self.quality = specificity > self.specificity ? quality : max(self.quality, quality)
            self.specificity = specificity
        }
    }

    /// Returns 3 for the type itself, 2 for `type/*`, 1 for `*/*`, and 0 for anything else.
    private static func specificity(_ range: Span<UInt8>, _ type: StaticString) -> Int {
        if range.equalsIgnoringCase(type) { return 3 }
        if range.equals("*/*") { return 1 }
        let count = range.count
        guard count >= 3, count <= type.utf8CodeUnitCount, range[count - 1] == UInt8(ascii: "*"),
            range[count - 2] == ASCII.slash
        else { return 0 }
        for index in 0..<(count - 1) where range[index].lowercased != type.utf8Start[index].lowercased { return 0 }
        return 2
    }

    /// Parses a weight such as `0`, `0.5` or `1.000` (RFC 9110, 12.4.2).
    private static func thousandths(_ text: Span<UInt8>) -> Int? {
        guard text.count >= 1, text.count <= 5, text[0] == 48 || text[0] == 49 else { return nil }
        var value = Int(text[0] &- 48) * 1000
        if text.count > 1 {
            guard text[1] == UInt8(ascii: ".") else { return nil }
            var unit = 100
            for index in 2..<text.count {
                guard text[index].isDigit else { return nil }
                value += Int(text[index] &- 48) * unit
                unit /= 10
            }
        }
        return value <= 1000 ? value : nil
    }
}

package import Bytes

/// The parameters of a query (`application/x-www-form-urlencoded`), decoded, in their order. `+` is a space. An empty
/// parameter (`a&&b`) is skipped; one without `=` has an empty value.
package struct QueryParameters: Sendable {
    package let all: [(name: String, value: String)]

    /// Decodes a query (`Request.query`) with at most `countMax` parameters, each name at most once. The reason of an
    /// error begins a sentence.
    package init(_ query: RawSpan, countMax: Int = 32) throws(InvalidText) {
        var all: [(name: String, value: String)] = []
        let source = query.bytes
        var start = 0
        while start < source.count {
            var end = start
            var equals = -1
            while end < source.count, source[end] != UInt8(ascii: "&") {
                if equals < 0, source[end] == ASCII.equals { equals = end }
                end += 1
            }
            if end > start {
                if all.count == countMax {
                    throw InvalidText(reason: "The query has more than \(countMax) parameters")
                }
                let nameEnd = equals < 0 ? end : equals
                let valueStart = equals < 0 ? end : equals + 1
                guard
                    let name = PercentCoding.decode(query.extracting(start..<nameEnd), plusIsSpace: true),
                    let value = PercentCoding.decode(query.extracting(valueStart..<end), plusIsSpace: true)
                else {
                    throw InvalidText(reason: "Query parameter \(all.count + 1) is not percent-encoded UTF-8 text")
                }
                if all.contains(where: { $0.name == name }) {
                    throw InvalidText(reason: "The query parameter \"\(name)\" is given more than once")
                }
                all.append((name, value))
            }
            start = end + 1
        }
        self.all = all
    }

    /// The value of a parameter, or `nil` if it is missing.
    package subscript(_ name: String) -> String? {
        all.first { $0.name == name }?.value
    }

    /// Returns the first parameter whose name is not in `known`, so that the refusal can name it.
    package func firstUnknown(_ known: [String]) -> String? {
        all.first { !known.contains($0.name) }?.name
    }
}

/// Percent-encoding (RFC 3986, 2.1). Decoding is strict: an escape has two hexadecimal digits, and the result is UTF-8.
package enum PercentCoding {
    /// Returns the decoded text, or `nil` if an escape is malformed or the result is not UTF-8.
    package static func decode(_ encoded: RawSpan, plusIsSpace: Bool) -> String? {
        let source = encoded.bytes
        let isPlain = source.indices.allSatisfy { index in
            let byte = source[index]
            return byte < 0x80 && byte != UInt8(ascii: "%") && byte != UInt8(ascii: "+")
        }
        if isPlain { return encoded.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(source.count)
        var index = 0
        while index < source.count {
            var byte = source[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < source.count, let high = source[index + 1].hexValue,
                    let low = source[index + 2].hexValue
                else { return nil }
                byte = high << 4 | low
                index += 2
            } else if byte == UInt8(ascii: "+"), plusIsSpace {
                byte = ASCII.space
            }
            decoded.append(byte)
            index += 1
        }
        // Decoding replaces invalid bytes. `String(validating:as:)` is not specialized, and takes several times as long.
        let text = String(decoding: decoded, as: UTF8.self)
        return text.utf8.elementsEqual(decoded) ? text : nil
    }
}

import Bytes

/// Percent-encoding (RFC 3986, 2.1); what is decoded is decoded strictly: two hexadecimal digits, and UTF-8 as the result.
package enum PercentCoding {
    /// The decoded text; nil when an escape is malformed, or the result is not UTF-8.
    package static func decode(_ encoded: RawSpan, plusIsSpace: Bool) -> String? {
        let source = encoded.bytes
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
        return String(validating: decoded, as: UTF8.self)
    }

    /// Appends a text in which all but unreserved characters are escaped.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            if ASCII.isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [ASCII.percent, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }
}

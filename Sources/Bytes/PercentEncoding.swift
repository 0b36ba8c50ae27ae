/// Percent-encoding (RFC 3986, 2.1) of texts in a URL or a form.
package enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Appends a text, escaping all but unreserved characters.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 {
            if byte.isLetter || byte.isDigit || "-._~".utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }

    /// Returns a text with all but unreserved characters escaped.
    package static func text(of text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the parameters of a query or form, such as `a=1&b=2`.
    package static func form(_ parameters: [(name: String, value: String)]) -> String {
        parameters.map { "\(text(of: $0.name))=\(text(of: $0.value))" }.joined(separator: "&")
    }
}

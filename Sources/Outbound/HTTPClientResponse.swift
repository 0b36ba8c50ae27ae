/// The reason why a request got no response.
package struct HTTPClientError: Error, CustomStringConvertible {
    /// A sentence with the destination and the error.
    package let description: String
    /// A Boolean value indicating whether the connection was refused.
    package var isRefused = false
}

package struct HTTPClientResponse: Sendable {
    /// The maximum bytes of a body, by default; more is an error.
    package static let bodyBytesMax = 64 << 20

    package let status: Int
    let head: [UInt8]
    package let body: [UInt8]

    package init(status: Int, head: [UInt8], body: [UInt8] = []) {
        (self.status, self.head, self.body) = (status, head, body)
    }

    /// The fields, with names in lower case. They are parsed on each access, because few responses need them.
    package var fields: [String: String] {
        var fields: [String: String] = [:]
        for line in head.split(whereSeparator: { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let text = String(decoding: value, as: UTF8.self)
            // A repeated field is a list (RFC 9110, 5.3), except for cookies.
            fields[name] = name == "set-cookie" ? text : fields[name].map { "\($0), \(text)" } ?? text
        }
        return fields
    }
}

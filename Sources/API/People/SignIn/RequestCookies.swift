import HTTPServer

/// The cookies that a browser sends (RFC 6265, 5.4).
enum RequestCookies {
    /// Returns the value of the cookie with a name. Returns `nil` if it is missing, empty or ambiguous because there
    /// are two.
    static func value(of name: String, in request: borrowing Request) -> [UInt8]? {
        var (found, occurrence): ([UInt8]?, Int) = (nil, 0)
        while let field = request.field("cookie", occurrence: occurrence) {
            occurrence += 1
            for pair in bytes(of: field).split(separator: UInt8(ascii: ";")) {
                let pair = pair.drop { $0 == UInt8(ascii: " ") }
                guard pair.starts(with: name.utf8), pair.dropFirst(name.utf8.count).first == UInt8(ascii: "=") else {
                    continue
                }
                if found != nil { return nil }
                found = Array(pair.dropFirst(name.utf8.count + 1))
            }
        }
        return found.flatMap { $0.isEmpty ? nil : $0 }
    }
}

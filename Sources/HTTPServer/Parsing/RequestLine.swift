import Bytes

/// Parsing of the request line (RFC 9112, 3).
extension RequestHead {
    mutating func takeRequestLine(_ bytes: Span<UInt8>, _ lineEnd: Int) throws(RequestRefusal) {
        var index = lineStart
        while index < lineEnd, ASCII.isToken(bytes[index]) { index &+= 1 }
        guard index > lineStart, index < lineEnd, bytes[index] == ASCII.space else { throw .malformed(.method) }
        methodText = ByteRange(lineStart, index)
        method = HTTPMethod(bytes.extracting(lineStart..<index))
        let targetStart = index + 1
        index = targetStart
        // '#' begins a fragment, which is never sent (RFC 9112, 3.2).
        while index < lineEnd, bytes[index] &- 0x21 < 0x5E, bytes[index] != UInt8(ascii: "#") { index &+= 1 }
        guard index < lineEnd else { throw .malformed(.requestLine) }
        guard bytes[index] == ASCII.space, index > targetStart else { throw .malformed(.target) }
        target = ByteRange(targetStart, index)
        try takeVersion(bytes.extracting((index + 1)..<lineEnd))
        try takeTarget(bytes, targetStart, index)
    }

    private mutating func takeVersion(_ text: Span<UInt8>) throws(RequestRefusal) {
        if text.equals("HTTP/1.1") { return }
        if text.equals("HTTP/1.0") {
            isHTTP10 = true
            return
        }
        guard text.count == 8, text.extracting(0..<5).equals("HTTP/"), text[5].isDigit,
            text[6] == UInt8(ascii: "."), text[7].isDigit
        else { throw .malformed(.version) }
        throw RequestRefusal(.versionNotSupported)
    }

    /// Parses the origin form, absolute form or asterisk form. The authority form is for proxies.
    private mutating func takeTarget(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) throws(RequestRefusal) {
        if bytes[start] == ASCII.slash { return try splitTarget(bytes, start, end) }
        if bytes.extracting(methodText.range).equals("CONNECT") { throw RequestRefusal(.notAProxy) }
        if bytes[start] == UInt8(ascii: "*"), end == start + 1 {
            guard method == .options else { throw .malformed(.asterisk) }
            path = ByteRange(start, end)
            return
        }
        var index = start
        while index < end, bytes[index] != ASCII.colon { index &+= 1 }
        let scheme = bytes.extracting(start..<index)
        guard scheme.equalsIgnoringCase("http") || scheme.equalsIgnoringCase("https"), end - index > 3,
            bytes[index + 1] == ASCII.slash, bytes[index + 2] == ASCII.slash
        else { throw .malformed(.target) }
        let authorityStart = index + 3
        index = authorityStart
        while index < end, bytes[index] != ASCII.slash, bytes[index] != ASCII.question { index &+= 1 }
        guard Self.isHost(bytes.extracting(authorityStart..<index)) else { throw .malformed(.host) }
        authority = ByteRange(authorityStart, index)
        try splitTarget(bytes, index, end)
    }

    /// Splits the target into path and query, which contain only what RFC 3986 allows there. A part that is sent back
    /// in a `Link`, or logged, cannot inject anything.
    private mutating func splitTarget(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) throws(RequestRefusal) {
        let text = bytes.extracting(0..<end)
        var mark = end
        for index in start..<end {
            let byte = text[index]
            guard ASCII.isTarget(byte), byte != ASCII.percent || text.isEscape(at: index) else {
                throw .malformed(.target)
            }
            if byte == ASCII.question, mark == end { mark = index }
        }
        path = ByteRange(start, mark)
        query = mark < end ? ByteRange(mark + 1, end) : ByteRange()
    }

    /// Returns whether a text is `uri-host [":" port]` (RFC 9110, 7.2), without userinfo (4.2.4), and not empty.
    static func isHost(_ text: Span<UInt8>) -> Bool {
        var index = 0
        if let first = text.indices.first, text[first] == UInt8(ascii: "[") {
            while index < text.count, text[index] != UInt8(ascii: "]") { index += 1 }
            guard index < text.count, isIPv6(text.extracting(1..<index)) else { return false }
            index += 1
        } else {
            while index < text.count, ASCII.isRegisteredName(text[index]) {
                if text[index] == ASCII.percent, !text.isEscape(at: index) { return false }
                index += 1
            }
            guard index > 0 else { return false }
        }
        guard index < text.count else { return true }
        guard text[index] == ASCII.colon, text.count - index <= 6 else { return false }
        for rest in (index + 1)..<text.count where !text[rest].isDigit { return false }
        return true
    }

    /// Returns whether a text is an IPv6 address (RFC 3986, 3.2.2); `IPvFuture` is not supported.
    private static func isIPv6(_ text: Span<UInt8>) -> Bool {
        text.indices.contains { text[$0] == ASCII.colon } && IPAddress(text: text.bytes) != nil
    }
}

/// A request method. Any other token is `other`; `Request.methodText` has its bytes.
package enum HTTPMethod: UInt8, Sendable, CaseIterable {
    case get, head, post, put, patch, delete, options, other

    /// The name as sent; empty for `other`.
    package var text: StaticString {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .other: ""
        }
    }

    /// Parses a method. Methods are case-sensitive (RFC 9110, 9.1).
    init(_ bytes: Span<UInt8>) {
        switch bytes.count {
        case 3: self = bytes.equals("GET") ? .get : bytes.equals("PUT") ? .put : .other
        case 4: self = bytes.equals("POST") ? .post : bytes.equals("HEAD") ? .head : .other
        case 5: self = bytes.equals("PATCH") ? .patch : .other
        case 6: self = bytes.equals("DELETE") ? .delete : .other
        case 7: self = bytes.equals("OPTIONS") ? .options : .other
        default: self = .other
        }
    }
}

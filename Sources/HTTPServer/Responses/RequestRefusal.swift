/// The reason why a request is refused before a handler sees it. The connection closes after the response.
struct RequestRefusal: Error, Equatable, Sendable {
    let kind: RequestRefusalKind
    private var syntaxError: RequestSyntaxError?

    init(_ kind: RequestRefusalKind) { self.kind = kind }

    /// Returns the refusal of a malformed request.
    static func malformed(_ error: RequestSyntaxError) -> RequestRefusal {
        var refusal = RequestRefusal(.malformedRequest)
        refusal.syntaxError = error
        return refusal
    }

    /// A sentence for the client.
    private var detail: String { syntaxError?.rawValue ?? "\(kind.detail)" }

    /// Returns the problem details (RFC 9457) for the client. Requests for unknown paths and the like are refused by a
    /// handler, and have others.
    func problem(_ limits: HTTPLimits, _ id: RequestID?) -> [UInt8] {
        let bound = kind == .bodyTooSlow ? "min" : "max"
        let limit = kind.limit(limits).map { #","limit":{"name":"\#($0.name)","\#(bound)":\#($0.value)}"# } ?? ""
        let request = id.map { #","requestId":"\#($0)""# } ?? ""
        let text = """
            {"type":"/problems/\(kind.rawValue)","title":"\(kind.title)","status":\(kind.status),\
            "detail":"\(detail)"\(request)\(limit)}
            """
        return [UInt8](text.utf8)
    }
}

/// The syntax error of a malformed request, which gets 400. A raw value is a sentence for the client.
enum RequestSyntaxError: String, Sendable {
    case controlCharacter = "Lines must end with CR LF, and must not contain control characters other than tabs."
    case requestLine = "The request line must be: method, one space, target, one space, version."
    case method = "The method has invalid characters."
    case target = "The target must be a path or an http or https URL, with special characters percent-encoded."
    case version = "The version is malformed."
    case asterisk = "Only OPTIONS may have the target *."
    case fieldName = "A header field has no valid name before its colon."
    case fieldValue = "A header field's value continues on the next line."
    case host = "The Host field is malformed."
    case hostMissing = "HTTP/1.1 needs a Host field."
    case hostRepeated = "There is more than one Host field."
    case contentLength = "Content-Length is not a number."
    case contentLengthRepeated = "There are several different Content-Length fields."
    case transferEncoding = "The only supported transfer coding is chunked, once."
    case transferEncodingIn10 = "HTTP/1.0 has no Transfer-Encoding."
    case bothLengths = "There are both Content-Length and Transfer-Encoding."
    case chunkSize = "A chunk's size is malformed."
    case chunkExtension = "A chunk's extension is malformed."
    case chunkEnd = "A chunk does not end where its size says."
    case trailer = "A trailer is malformed."
}

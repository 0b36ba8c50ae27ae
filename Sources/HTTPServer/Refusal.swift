/// Why a request is refused before a handler sees it. The connection is closed after the answer.
enum Refusal: Error, Equatable, Sendable {
    case malformed(Fault)
    case requestLineTooLong
    case fieldsTooLong
    case tooManyFields
    case bodyTooLarge
    case chunkExtensionTooLong
    case headTooSlow
    case bodyTooSlow
    case lengthRequired
    case expectationUnknown
    case connectNotImplemented
    case versionNotSupported
    case tooManyConnections
    case outOfBuffers

    /// What is wrong with the bytes themselves: always 400.
    enum Fault: Equatable, Sendable {
        case controlCharacter, requestLine, method, target, version, asterisk
        case fieldName, fieldValue, host, hostMissing, hostRepeated
        case contentLength, contentLengthRepeated, transferEncoding, transferEncodingIn10, bothLengths
        case chunkSize, chunkExtension, chunkEnd, trailer
    }

    var status: Int {
        switch self {
        case .malformed, .chunkExtensionTooLong: 400
        case .headTooSlow, .bodyTooSlow: 408
        case .lengthRequired: 411
        case .bodyTooLarge: 413
        case .requestLineTooLong: 414
        case .expectationUnknown: 417
        case .fieldsTooLong, .tooManyFields: 431
        case .connectNotImplemented: 501
        case .tooManyConnections, .outOfBuffers: 503
        case .versionNotSupported: 505
        }
    }

    /// A sentence for the client; a limit is named by its setting.
    var detail: StaticString {
        switch self {
        case .malformed(let fault): fault.detail
        case .requestLineTooLong: "The request line is longer than requestLineBytesMax."
        case .fieldsTooLong: "The fields are longer than headBytesMax."
        case .tooManyFields: "There are more fields than headFieldsMax."
        case .bodyTooLarge: "The body is larger than bodyBytesMax."
        case .chunkExtensionTooLong: "A chunk's extensions are longer than chunkExtensionBytesMax."
        case .headTooSlow: "The head took longer than headSecondsMax."
        case .bodyTooSlow: "The body came slower than bodyBytesPerSecondMin."
        case .lengthRequired: "An HTTP/1.0 request with this method needs a Content-Length."
        case .expectationUnknown: "The only expectation known is 100-continue."
        case .connectNotImplemented: "This server is not a proxy."
        case .tooManyConnections: "There are more connections than connectionsMax."
        case .outOfBuffers: "The buffers are full: bufferedBytesMax."
        case .versionNotSupported: "The server speaks HTTP/1.1 and HTTP/1.0."
        }
    }
}

extension Refusal.Fault {
    var detail: StaticString {
        switch self {
        case .controlCharacter: "Lines end with CR LF, and hold no other control character than a tab."
        case .requestLine: "The request line is not: method, one space, target, one space, version."
        case .method: "The method is not a token."
        case .target:
            "The target is neither a path nor an http or https URL, or has a character that has to be escaped."
        case .version: "The version is malformed."
        case .asterisk: "Only OPTIONS has the target *."
        case .fieldName: "A field has no valid name right before its colon."
        case .fieldValue: "A field's value is continued on the next line."
        case .host: "The Host is malformed."
        case .hostMissing: "HTTP/1.1 needs a Host field."
        case .hostRepeated: "There is more than one Host field."
        case .contentLength: "The Content-Length is not a number."
        case .contentLengthRepeated: "There are differing Content-Length fields."
        case .transferEncoding: "The only transfer coding known is chunked, once."
        case .transferEncodingIn10: "HTTP/1.0 has no Transfer-Encoding."
        case .bothLengths: "There are both Content-Length and Transfer-Encoding."
        case .chunkSize: "A chunk's size is malformed."
        case .chunkExtension: "A chunk's extension is malformed."
        case .chunkEnd: "A chunk does not end where its size says."
        case .trailer: "A trailer is malformed."
        }
    }
}

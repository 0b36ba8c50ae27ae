/// The kinds of refusal. A raw value is the end of the problem's `type`: `/problems/head-too-slow`.
package enum RequestRefusalKind: String, CaseIterable, Sendable {
    case malformedRequest = "malformed-request"
    case requestLineTooLong = "request-line-too-long"
    case fieldsTooLong = "fields-too-long"
    case tooManyFields = "too-many-fields"
    case bodyTooLarge = "body-too-large"
    case chunkExtensionTooLong = "chunk-extension-too-long"
    case headTooSlow = "head-too-slow"
    case bodyTooSlow = "body-too-slow"
    case lengthRequired = "length-required"
    case expectationUnknown = "expectation-unknown"
    case notAProxy = "not-a-proxy"
    case versionNotSupported = "version-not-supported"
    case tooManyConnections = "too-many-connections"
    case outOfBuffers = "out-of-buffers"

    package var status: Int {
        switch self {
        case .malformedRequest, .chunkExtensionTooLong: 400
        case .headTooSlow, .bodyTooSlow: 408
        case .lengthRequired: 411
        case .bodyTooLarge: 413
        case .requestLineTooLong: 414
        case .expectationUnknown: 417
        case .fieldsTooLong, .tooManyFields: 431
        case .notAProxy: 501
        case .tooManyConnections, .outOfBuffers: 503
        case .versionNotSupported: 505
        }
    }

    /// A Boolean value indicating whether a configured limit was exceeded.
    package var isOfLimit: Bool { limit(HTTPLimits()) != nil }

    /// The seconds after which to retry, or `nil` if a retry does not help.
    var retryAfterSeconds: Int? { status == 503 ? 1 : nil }

    /// Returns the exceeded limit's setting name and value, or `nil` if no limit was exceeded.
    func limit(_ limits: borrowing HTTPLimits) -> (name: StaticString, value: Int)? {
        switch self {
        case .malformedRequest, .lengthRequired, .expectationUnknown, .notAProxy, .versionNotSupported: nil
        case .requestLineTooLong: ("requestLineBytesMax", limits.requestLineBytesMax)
        case .fieldsTooLong: ("headBytesMax", limits.headBytesMax)
        case .tooManyFields: ("headFieldsMax", limits.headFieldsMax)
        case .bodyTooLarge: ("bodyBytesMax", limits.bodyBytesMax)
        case .chunkExtensionTooLong: ("chunkExtensionBytesMax", limits.chunkExtensionBytesMax)
        case .headTooSlow: ("headSecondsMax", limits.headSecondsMax)
        case .bodyTooSlow: ("bodyBytesPerSecondMin", limits.bodyBytesPerSecondMin)
        case .tooManyConnections: ("connectionsMax", limits.connectionsMax)
        case .outOfBuffers: ("bufferedBytesMax", limits.bufferedBytesMax)
        }
    }

    package var title: StaticString { StatusLine.reason(status) }

    /// A sentence for the client, which names a limit by its setting.
    package var detail: StaticString {
        switch self {
        case .malformedRequest: "The bytes are not a valid HTTP request (RFC 9112)."
        case .requestLineTooLong: "The request line is longer than requestLineBytesMax."
        case .fieldsTooLong: "The header fields are longer than headBytesMax."
        case .tooManyFields: "There are more header fields than headFieldsMax."
        case .bodyTooLarge: "The body is larger than bodyBytesMax."
        case .chunkExtensionTooLong: "A chunk's extensions are longer than chunkExtensionBytesMax."
        case .headTooSlow: "The head took longer than headSecondsMax."
        case .bodyTooSlow: "The body arrived more slowly than bodyBytesPerSecondMin."
        case .lengthRequired: "An HTTP/1.0 request with this method needs a Content-Length."
        case .expectationUnknown: "The only supported expectation is 100-continue."
        case .notAProxy: "This server is not a proxy."
        case .tooManyConnections: "There are more connections than connectionsMax."
        case .outOfBuffers: "The buffers have reached bufferedBytesMax."
        case .versionNotSupported: "The server supports HTTP/1.1 and HTTP/1.0."
        }
    }
}

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

    /// The status, the limit that was exceeded, if any, and a sentence for the client, which names a limit by its setting.
    private var facts: (status: Int, limit: (name: StaticString, value: (HTTPLimits) -> Int)?, detail: StaticString) {
        switch self {
        case .malformedRequest: (400, nil, "The bytes are not a valid HTTP request (RFC 9112).")
        case .requestLineTooLong:
            (
                414, ("requestLineBytesMax", \.requestLineBytesMax),
                "The request line is longer than requestLineBytesMax."
            )
        case .fieldsTooLong: (431, ("headBytesMax", \.headBytesMax), "The header fields are longer than headBytesMax.")
        case .tooManyFields:
            (431, ("headFieldsMax", \.headFieldsMax), "There are more header fields than headFieldsMax.")
        case .bodyTooLarge: (413, ("bodyBytesMax", \.bodyBytesMax), "The body is larger than bodyBytesMax.")
        case .chunkExtensionTooLong:
            (
                400, ("chunkExtensionBytesMax", \.chunkExtensionBytesMax),
                "A chunk's extensions are longer than chunkExtensionBytesMax."
            )
        case .headTooSlow: (408, ("headSecondsMax", \.headSecondsMax), "The head took longer than headSecondsMax.")
        case .bodyTooSlow:
            (
                408, ("bodyBytesPerSecondMin", \.bodyBytesPerSecondMin),
                "The body arrived more slowly than bodyBytesPerSecondMin."
            )
        case .lengthRequired: (411, nil, "An HTTP/1.0 request with this method needs a Content-Length.")
        case .expectationUnknown: (417, nil, "The only supported expectation is 100-continue.")
        case .notAProxy: (501, nil, "This server is not a proxy.")
        case .versionNotSupported: (505, nil, "The server supports HTTP/1.1 and HTTP/1.0.")
        case .tooManyConnections:
            (503, ("connectionsMax", \.connectionsMax), "There are more connections than connectionsMax.")
        case .outOfBuffers:
            (503, ("bufferedBytesMax", \.bufferedBytesMax), "The buffers have reached bufferedBytesMax.")
        }
    }

    package var status: Int { facts.status }

    package var title: StaticString { StatusLine.reason(status) }

    /// A sentence for the client.
    package var detail: StaticString { facts.detail }

    /// A Boolean value indicating whether a configured limit was exceeded.
    package var isOfLimit: Bool { facts.limit != nil }

    /// The seconds after which to retry, or `nil` if a retry does not help.
    var retryAfterSeconds: Int? { status == 503 ? 1 : nil }

    /// Returns the exceeded limit's setting name and value, or `nil` if no limit was exceeded.
    func limit(_ limits: HTTPLimits) -> (name: StaticString, value: Int)? {
        facts.limit.map { ($0.name, $0.value(limits)) }
    }
}

import CCurl

/// Why a request got no answer.
package struct HTTPClientError: Error, CustomStringConvertible {
    /// A sentence: where to, and what went wrong.
    package let description: String
    /// Whether nobody listens there.
    package var isRefused = false
}

package struct HTTPClientResponse: Sendable {
    package let status: Int
    let head: [UInt8]
    package let body: [UInt8]

    /// The fields, names in lower case. Read anew each time: few look at any.
    package var fields: [String: String] {
        var fields: [String: String] = [:]
        for line in head.split(whereSeparator: { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let text = String(decoding: value, as: UTF8.self)
            // A field that comes twice is a list (RFC 9110, 5.3), but for cookies.
            fields[name] = name == "set-cookie" ? text : fields[name].map { "\($0), \(text)" } ?? text
        }
        return fields
    }
}

/// One connection to a server that is kept between requests. Confined to one thread at a time.
package final class HTTPClient {
    /// Bytes of a body that are taken; more is an error.
    package static let bodyBytesMax = 64 << 20

    /// Bytes of a head that are taken.
    static let headBytesMax = 128 << 10

    private let exchange: HTTPExchange

    /// A client that goes through a Unix socket where one is given, and waits so many seconds for an answer.
    package init(socketPath: String? = nil, secondsMax: Int = 30) throws(HTTPClientError) {
        exchange = try HTTPExchange(socketPath: socketPath, secondsMax: secondsMax)
    }

    /// Sends a request and waits for the whole answer. Redirects are not followed.
    package func send(_ request: HTTPRequest) throws(HTTPClientError) -> HTTPClientResponse {
        try exchange.prepare(request)
        return try exchange.outcome(curl_easy_perform(exchange.handle)).get()
    }

    /// Sends a request and gives the body of a 200 piece by piece to `take`, which says whether it goes on; any other answer's body is
    /// kept.
    package func download(
        _ request: HTTPRequest, to take: (UnsafeRawBufferPointer) -> Bool
    ) throws(HTTPClientError) -> HTTPClientResponse {
        try exchange.prepare(request)
        let code = withoutActuallyEscaping(take) { take in
            exchange.sink = take
            defer { exchange.sink = nil }
            return curl_easy_perform(exchange.handle)
        }
        return try exchange.outcome(code).get()
    }

    /// Sends a request and waits for the whole answer. Redirects are not followed.
    package func send(
        _ method: String, _ url: String, fields: [String] = [], body: [UInt8]? = nil
    ) throws(HTTPClientError) -> HTTPClientResponse {
        try send(HTTPRequest(method, url, fields: fields, body: body))
    }
}

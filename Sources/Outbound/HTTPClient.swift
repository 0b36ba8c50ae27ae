import CCurl

/// The reason why a request got no response.
package struct HTTPClientError: Error, CustomStringConvertible {
    /// A sentence with the destination and the error.
    package let description: String
    /// A Boolean value indicating whether the connection was refused.
    package var isRefused = false
}

package struct HTTPClientResponse: Sendable {
    package let status: Int
    let head: [UInt8]
    package let body: [UInt8]

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

/// A client with one connection to a server, which is kept between requests. Confined to one thread at a time.
package final class HTTPClient {
    /// The maximum bytes of a body; more is an error.
    package static let bodyBytesMax = 64 << 20

    /// The maximum bytes of a head.
    static let headBytesMax = 128 << 10

    private let exchange: HTTPExchange

    /// Creates a client with a timeout, which uses a Unix socket if `socketPath` is given.
    package init(socketPath: String? = nil, secondsMax: Int = 30) throws(HTTPClientError) {
        exchange = try HTTPExchange(socketPath: socketPath, secondsMax: secondsMax)
    }

    /// Sends a request and waits for the complete response. Redirects are not followed.
    package func send(_ request: HTTPRequest) throws(HTTPClientError) -> HTTPClientResponse {
        try exchange.prepare(request)
        return try exchange.outcome(curl_easy_perform(exchange.handle)).get()
    }

    /// Sends a request and passes the body of a 200 piece by piece to `take`, which returns whether to continue. The
    /// body of another response is kept.
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

    /// Sends a request and waits for the complete response. Redirects are not followed.
    package func send(
        _ method: String, _ url: String, fields: [String] = [], body: [UInt8]? = nil
    ) throws(HTTPClientError) -> HTTPClientResponse {
        try send(HTTPRequest(method, url, fields: fields, body: body))
    }
}

import CCurl
package import Outbound

/// A client that blocks its thread until the response is there, and keeps its connection. Tests that block all threads
/// of the concurrency runtime cannot use the transport.
package final class HTTPClient {
    /// The reason why a request got no response.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private let handle: UnsafeMutableRawPointer
    private var head: [UInt8] = []
    private var body: [UInt8] = []

    /// Creates a client with a timeout, which uses a Unix socket if `socketPath` is given.
    package init(socketPath: String? = nil, secondsMax: Int = 30) throws {
        guard let made = curl_easy_init() else { throw Failure(description: "cannot start libcurl") }
        handle = made
        try demand(lectern_curl_set_long(handle, CURLOPT_NOSIGNAL, 1))
        try demand(lectern_curl_set_long(handle, CURLOPT_TIMEOUT, secondsMax))
        if let socketPath { try demand(lectern_curl_set_text(handle, CURLOPT_UNIX_SOCKET_PATH, socketPath)) }
        // SAFETY: libcurl calls back only during `send`, while this object exists.
        let context = Unmanaged.passUnretained(self).toOpaque()
        try demand(lectern_curl_set_pointer(handle, CURLOPT_WRITEDATA, context))
        try demand(lectern_curl_set_pointer(handle, CURLOPT_HEADERDATA, context))
        let body = lectern_curl_set_writer(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            HTTPClient.of(context).body += UnsafeRawBufferPointer(start: bytes, count: size * count)
            return size * count
        }
        let line = lectern_curl_set_writer(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            HTTPClient.of(context).head += UnsafeRawBufferPointer(start: bytes, count: size * count)
            return size * count
        }
        try demand(body)
        try demand(line)
    }

    deinit { curl_easy_cleanup(handle) }

    /// Sends a request and waits for the complete response. Redirects are not followed.
    package func send(
        _ method: String, _ url: String, fields: [String] = [], body: [UInt8]? = nil
    ) throws -> HTTPClientResponse {
        (head, self.body) = ([], [])
        let list = fields.reduce(nil) { curl_slist_append($0, $1) }
        defer { curl_slist_free_all(list) }
        try demand(lectern_curl_set_text(handle, CURLOPT_URL, url))
        try demand(lectern_curl_set_pointer(handle, CURLOPT_HTTPHEADER, list))
        if var body {
            try demand(lectern_curl_set_long(handle, CURLOPT_POSTFIELDSIZE, body.count))
            try demand(
                body.withUnsafeMutableBytes {
                    lectern_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
                })
        } else {
            // No other option removes an earlier body.
            try demand(lectern_curl_set_long(handle, CURLOPT_HTTPGET, 1))
        }
        try demand(lectern_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, method))
        try demand(curl_easy_perform(handle))
        return HTTPClientResponse(status: lectern_curl_status(handle), head: head, body: self.body)
    }

    private func demand(_ code: CURLcode) throws {
        if code != CURLE_OK { throw Failure(description: String(cString: curl_easy_strerror(code))) }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> HTTPClient {
        Unmanaged<HTTPClient>.fromOpaque(context!).takeUnretainedValue()
    }
}

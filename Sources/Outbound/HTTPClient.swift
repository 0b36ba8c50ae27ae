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
    /// The fields, names in lower case.
    package let fields: [String: String]
    package let body: [UInt8]
}

/// One connection to a server that is kept between requests. Confined to one thread at a time.
package final class HTTPClient {
    /// Bytes of a body that are taken; more is an error.
    package static let bodyBytesMax = 64 << 20

    private let handle: UnsafeMutableRawPointer
    private let socketPath: String?
    private let secondsMax: Int

    /// libcurl's own state, made once before any handle.
    private static let global: Void = { curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()

    /// A client that goes through a Unix socket where one is given, and waits so many seconds for an answer.
    package init(socketPath: String? = nil, secondsMax: Int = 30) throws(HTTPClientError) {
        Self.global
        guard let made = curl_easy_init() else { throw HTTPClientError(description: "libcurl cannot be started") }
        handle = made
        self.socketPath = socketPath
        self.secondsMax = secondsMax
    }

    deinit { curl_easy_cleanup(handle) }

    /// Sends a request and waits for the whole answer. Redirects are not followed.
    package func send(
        _ method: String, _ url: String, fields: [String] = [], body: [UInt8]? = nil
    ) throws(HTTPClientError) -> HTTPClientResponse {
        curl_easy_reset(handle)
        let received = Received()
        var list: UnsafeMutablePointer<curl_slist>?
        for field in fields { list = curl_slist_append(list, field) }
        defer { curl_slist_free_all(list) }
        var message = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        let code = message.withUnsafeMutableBufferPointer { room in
            set(method, url, list, room.baseAddress)
            return withExtendedLifetime(received) { perform(body, received) }
        }
        guard code == CURLE_OK else {
            let text = message.first == 0 ? String(cString: curl_easy_strerror(code)) : Self.text(message)
            throw HTTPClientError(
                description: "cannot reach \(socketPath ?? url): \(text)", isRefused: code == CURLE_COULDNT_CONNECT)
        }
        return HTTPClientResponse(status: lectern_curl_status(handle), fields: received.fields, body: received.body)
    }

    private func set(
        _ method: String, _ url: String, _ list: UnsafeMutablePointer<curl_slist>?,
        _ message: UnsafeMutablePointer<CChar>?
    ) {
        lectern_curl_set_text(handle, CURLOPT_URL, url)
        lectern_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, method)
        lectern_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        lectern_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        lectern_curl_set_long(handle, CURLOPT_TIMEOUT, secondsMax)
        lectern_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, message)
        lectern_curl_set_pointer(handle, CURLOPT_HTTPHEADER, list)
        if let socketPath { lectern_curl_set_text(handle, CURLOPT_UNIX_SOCKET_PATH, socketPath) }
    }

    private func perform(_ body: [UInt8]?, _ received: Received) -> CURLcode {
        // SAFETY: libcurl calls back only while it performs, and `received` lives until then.
        let context = Unmanaged.passUnretained(received).toOpaque()
        lectern_curl_set_writer(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            Received.of(context).take(body: bytes, size * count)
        }
        lectern_curl_set_writer(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            Received.of(context).take(line: bytes, size * count)
        }
        lectern_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        lectern_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        guard var body else { return curl_easy_perform(handle) }
        return body.withUnsafeMutableBytes { bytes in
            lectern_curl_set_long(handle, CURLOPT_POSTFIELDSIZE, bytes.count)
            lectern_curl_set_pointer(handle, CURLOPT_POSTFIELDS, bytes.baseAddress)
            return curl_easy_perform(handle)
        }
    }

    private static func text(_ message: [CChar]) -> String {
        String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// What has come in so far.
    private final class Received {
        var fields: [String: String] = [:]
        var body: [UInt8] = []

        static func of(_ context: UnsafeMutableRawPointer?) -> Received {
            Unmanaged<Received>.fromOpaque(context!).takeUnretainedValue()
        }

        /// Fewer bytes than given make libcurl give up.
        func take(body bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
            guard body.count + count <= HTTPClient.bodyBytesMax else { return 0 }
            body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
            return count
        }

        func take(line bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
            let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
            if let colon = line.firstIndex(of: ":") {
                let value = line[line.index(after: colon)...].drop { $0 == " " }
                fields[line[..<colon].lowercased()] = String(value.prefix { !$0.isNewline })
            }
            return count
        }
    }
}

import CCurl

/// A request to a server.
package struct HTTPRequest: Sendable {
    package let method: String
    package let url: String
    package let fields: [String]
    package let body: [UInt8]?

    package init(_ method: String, _ url: String, fields: [String] = [], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }
}

/// A libcurl handle with its request. Confined to one thread at a time.
final class HTTPExchange {
    let handle: UnsafeMutableRawPointer
    private let socketPath: String?
    private let url: String
    private var list: UnsafeMutablePointer<curl_slist>?
    private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var head: [UInt8] = []
    /// The consumer of the response as it arrives.
    let taker: HTTPDownload
    /// A Boolean value indicating whether redirects are followed.
    private let follows: Bool

    /// libcurl's global state, which is initialized once before any handle.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Creates a handle for a request, of which it keeps copies. If `secondsMax` is `nil` there is no timeout. If
    /// `silentSecondsMax` is given, the request fails when the server has sent nothing for so long.
    init(
        _ request: HTTPRequest, socketPath: String?, secondsMax: Int?, silentSecondsMax: Int?, taker: HTTPDownload,
        publicOnly: PublicAddresses?
    ) throws(HTTPClientError) {
        guard Self.isReady, let made = curl_easy_init() else {
            throw HTTPClientError(description: "cannot start libcurl")
        }
        handle = made
        (self.socketPath, url, self.taker) = (socketPath, request.url, taker)
        follows = publicOnly != nil
        message[0] = 0
        try set(secondsMax, silentSecondsMax)
        try publicOnly.map { addresses throws(HTTPClientError) in try restrict(to: addresses) }
        try listen()
        try set(request)
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(list)
        message.deallocate()
    }

    private func set(_ request: HTTPRequest) throws(HTTPClientError) {
        for field in request.fields {
            guard let longer = curl_slist_append(list, field) else {
                throw HTTPClientError(description: "cannot add a header field to a request: out of memory")
            }
            list = longer
        }
        try demand(lectern_curl_set_pointer(handle, CURLOPT_HTTPHEADER, list))
        try demand(lectern_curl_set_text(handle, CURLOPT_URL, url))
        if var sent = request.body {
            try demand(lectern_curl_set_long(handle, CURLOPT_POSTFIELDSIZE, sent.count))
            let code = sent.withUnsafeMutableBytes {
                return lectern_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
            }
            try demand(code)
        }
        try demand(lectern_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method))
    }

    /// Throws if libcurl refused an option. The option's former value could cause a different request or protocol.
    private func demand(_ code: CURLcode) throws(HTTPClientError) {
        guard code == CURLE_OK else {
            throw HTTPClientError(description: "cannot set up libcurl: \(String(cString: curl_easy_strerror(code)))")
        }
    }

    /// Sets the options that are the same for each request.
    private func set(_ secondsMax: Int?, _ silentSecondsMax: Int?) throws(HTTPClientError) {
        try demand(lectern_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https"))
        try demand(lectern_curl_set_long(handle, CURLOPT_NOSIGNAL, 1))
        try demand(lectern_curl_set_long(handle, CURLOPT_TIMEOUT, secondsMax ?? 0))
        if secondsMax == nil { try demand(lectern_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT, 10)) }
        // libcurl averages the rate over the last seconds, and does not count the time in which the transfer is paused.
        if let silentSecondsMax {
            try demand(lectern_curl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, 1))
            try demand(lectern_curl_set_long(handle, CURLOPT_LOW_SPEED_TIME, silentSecondsMax))
        }
        try demand(lectern_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, message))
        if let socketPath { try demand(lectern_curl_set_text(handle, CURLOPT_UNIX_SOCKET_PATH, socketPath)) }
    }

    /// Follows redirects, and refuses to connect to an address that is not public. The check applies to the address of
    /// the socket itself. Neither a redirect nor a name that later resolves to another address can avoid it.
    private func restrict(to addresses: PublicAddresses) throws(HTTPClientError) {
        try demand(lectern_curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 1))
        try demand(lectern_curl_set_long(handle, CURLOPT_MAXREDIRS, Self.redirectsMax))
        try demand(lectern_curl_set_text(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https"))
        // A proxy would resolve the name and connect in this process's place.
        try demand(lectern_curl_set_text(handle, CURLOPT_PROXY, ""))
        try demand(addresses.install(on: handle))
    }

    /// The maximum bytes of a head.
    private static let headBytesMax = 128 << 10

    /// The maximum number of redirects that are followed.
    static let redirectsMax = 5

    private func listen() throws(HTTPClientError) {
        // SAFETY: libcurl calls back only while the handle is performed, and the performer holds this object.
        let context = Unmanaged.passUnretained(self).toOpaque()
        let body = lectern_curl_set_writer(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            HTTPExchange.of(context).taker.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        let line = lectern_curl_set_writer(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            HTTPExchange.of(context).take(line: UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        try demand(body)
        try demand(line)
        try demand(lectern_curl_set_pointer(handle, CURLOPT_WRITEDATA, context))
        try demand(lectern_curl_set_pointer(handle, CURLOPT_HEADERDATA, context))
    }

    /// Returns the result of the request that ended with this code.
    func outcome(_ code: CURLcode) -> Result<Void, HTTPClientError> {
        guard code != CURLE_OK else { return .success(()) }
        return .failure(HTTPClientError(description: problem(code), isRefused: code == CURLE_COULDNT_CONNECT))
    }

    /// Returns a sentence about an error code. For a Unix socket libcurl would name the URL's host and port, which have
    /// no meaning there.
    private func problem(_ code: CURLcode) -> String {
        let text = String(cString: message[0] == 0 ? curl_easy_strerror(code) : UnsafePointer(message))
        guard let socketPath else { return "cannot reach \(url): \(text)" }
        switch code {
        case CURLE_COULDNT_CONNECT: return "no server responds at \(socketPath)"
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE:
            return "the server at \(socketPath) closed the connection before its response was complete"
        default: return "cannot reach \(socketPath): \(text)"
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> HTTPExchange {
        Unmanaged<HTTPExchange>.fromOpaque(context!).takeUnretainedValue()
    }

    /// Handles a line of the head. Returns fewer bytes than given to make libcurl abort.
    private func take(line bytes: UnsafeRawBufferPointer) -> Int {
        guard head.count + bytes.count <= Self.headBytesMax else { return 0 }
        head.append(contentsOf: bytes)
        // An empty line ends the head, or an interim head that another one follows.
        guard bytes.count == 2 else { return bytes.count }
        if follows, (300..<400).contains(lectern_curl_status(handle)) {
            head = []
        } else {
            taker.begin(HTTPClientResponse(status: lectern_curl_status(handle), head: head))
        }
        return bytes.count
    }
}

import JSON
public import Model
package import Outbound

/// A client of a Lectern server, for the reader to whom the token belongs.
///
/// ```
/// let client = try LecternClient("http://127.0.0.1:8080", token: token)
/// let book: Book = try await client.fetch("/v1/books/\(id)")
/// for try await event in client.watch("/v1/books/\(id)") { print(event.name) }
/// ```
public final class LecternClient: Sendable {
    private let base: String
    private let token: String?
    private let transport: HTTPTransport

    /// Creates a client of the server at a URL.
    public convenience init(_ url: String, token: String) throws(LecternClientError) {
        try self.init(url, token: token, socketPath: nil)
    }

    /// Creates a client that uses a Unix socket, which needs no token: the right to open it suffices.
    package init(_ url: String, token: String?, socketPath: String?) throws(LecternClientError) {
        guard Self.isPlain(url), Self.isPlain(token ?? "") else {
            throw .misunderstood("the URL and the token must be printable ASCII")
        }
        base = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.token = token
        do throws(HTTPClientError) { transport = try HTTPTransport(socketPath: socketPath) } catch {
            throw .unreachable(error.description)
        }
    }

    /// Fetches a resource by its path.
    public func fetch<Value: Resource>(_ path: String) async throws(LecternClientError) -> Value {
        try await send("GET", path).value()
    }

    /// Fetches a page of a list by its path and query.
    public func list<Value: Resource>(_ path: String) async throws(LecternClientError) -> Page<Value> {
        try Page(try await send("GET", path).json())
    }

    /// Sends a request. `match` is the `etag` of the state that a write refers to. Any status but 2xx is thrown.
    public func send(
        _ method: String, _ path: String, body: [UInt8]? = nil, match: String? = nil
    ) async throws(LecternClientError) -> ClientResponse {
        var fields = ["Accept: application/json"]
        if let match { fields.append("If-Match: \(match)") }
        let request = try request(method, path, fields, body)
        let answer: ClientResponse
        do throws(HTTPClientError) { answer = ClientResponse(try await transport.send(request)) } catch {
            throw .unreachable(error.description)
        }
        switch answer.status {
        case 200...299: return answer
        case 412: throw .outdated(Problem(answer))
        default: throw .refused(Problem(answer))
        }
    }

    /// Returns the events of these paths, from now on or after a cursor: an event's, or a page's `after`. The stream
    /// reconnects on its own. Several paths share one connection, and each is its own name.
    public func watch(_ paths: String..., after cursor: String? = nil) -> EventStream {
        watch(paths, after: cursor)
    }

    /// Returns the events of any number of paths.
    public func watch(_ paths: [String], after cursor: String? = nil) -> EventStream {
        EventStream(client: self, paths: paths, after: cursor)
    }

    /// Opens a connection to a stream.
    func open(_ path: String, after cursor: String) throws(LecternClientError) -> HTTPDownload {
        let fields = ["Accept: text/event-stream"] + (cursor.isEmpty ? [] : ["Last-Event-ID: \(cursor)"])
        return transport.open(try request("GET", path, fields, nil), silentSecondsMax: Self.silentSecondsMax)
    }

    /// Sends a request whose response is consumed as it arrives, without a timeout. Any status but 200 is thrown.
    package func download(_ path: String) async throws(LecternClientError) -> HTTPDownload {
        let download = transport.open(try request("GET", path, [], nil))
        let refusal: ClientResponse
        do throws(HTTPClientError) {
            if try await download.head().status == 200 { return download }
            refusal = ClientResponse(try await download.whole())
        } catch { throw .unreachable(error.description) }
        throw .refused(Problem(refusal))
    }

    /// The maximum seconds without any byte. The server sends a heartbeat every 15 seconds, or every minute if asked
    /// to.
    private static let silentSecondsMax = 75

    private func request(
        _ method: String, _ path: String, _ more: [String], _ body: [UInt8]?
    ) throws(LecternClientError) -> HTTPRequest {
        var fields = more
        if let token { fields.append("Authorization: Bearer \(token)") }
        // Otherwise libcurl would declare the body a form, and wait for permission to send it.
        if body != nil { fields += ["Content-Type: application/json", "Expect:"] }
        guard path.hasPrefix("/"), fields.allSatisfy(Self.isPlain) else {
            throw .misunderstood("a path must begin with \"/\", and a cursor must be printable ASCII")
        }
        // Paths are as people write them, with letters of any script and spaces.
        return HTTPRequest(method, base + path.printable, fields: fields, body: body)
    }

    private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }

    /// Creates a stream of paths, each of which is its own name, and returns its path.
    func createStream(of paths: [String]) async throws(LecternClientError) -> String {
        let body = JSONWriter.object { json in
            json.object("watch") { json in
                for path in paths.map(\.printable) {
                    json.name(path)
                    json.string(path)
                }
            }
        }
        guard let url = try await send("POST", "/v1/streams", body: body).json()["url"]?.string else {
            throw .misunderstood("a new stream has no url")
        }
        return url
    }
}

extension String {
    /// The text with all bytes except printable ASCII percent-encoded.
    fileprivate var printable: String {
        var text = ""
        for byte in utf8 {
            if (0x21..<0x7F).contains(byte) {
                text.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}

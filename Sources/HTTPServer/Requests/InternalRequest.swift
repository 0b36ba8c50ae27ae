/// A request that the server makes to itself, for a watched URL or a line of a batch. It is parsed like a request from
/// a socket, so it can ask only for what a client could.
package struct InternalRequest: Sendable {
    private let head: [UInt8]
    private let targetCount: Int
    private let fieldCount: Int
    private let body: [UInt8]

    /// Creates a request with a method, a target (a path and an optional query, as sent), fields and a body.
    package init(
        _ method: String, _ target: String, fields: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        head = Array((text + "\r\n").utf8)
        targetCount = target.utf8.count
        fieldCount = fields.count + 1
        self.body = body
    }

    /// Passes the parsed request to `look`. Returns `nil` if the request is invalid, because its target or a field is
    /// malformed or too long. `connection` and `transport` are those of the exchange that causes the request.
    package func read<Result, Failure: Error>(
        for connection: ConnectionID, _ transport: ConnectionTransport, _ limits: HTTPLimits = HTTPLimits(),
        _ look: (borrowing Request) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        let parsed = EventLoopState.makeHead(limits.headFieldsMax)
        defer { EventLoopState.free(parsed) }
        // Line ends in a value could add fields or a body.
        guard (try? parsed.pointee.parse(head.span, limits)) == true, parsed.pointee.end == head.count,
            parsed.pointee.fieldCount == fieldCount, Int(parsed.pointee.target.count) == targetCount
        else { return nil }
        parsed.pointee.bodyCount = body.count
        return try (head + body).withUnsafeBufferPointer { bytes throws(Failure) in
            // SAFETY: the bytes and the parsed head outlive the request, which cannot escape. There is a head.
            try look(
                Request(
                    base: UnsafeRawPointer(bytes.baseAddress!), head: UnsafePointer(parsed), connection: connection,
                    transport: transport))
        }
    }
}

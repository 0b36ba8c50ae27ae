/// A request that the house makes of itself: for a watched URL, or a line of a batch. It is parsed as one that came over a
/// socket, so that it can ask for nothing that a client could not.
package struct InnerRequest: Sendable {
    private let head: [UInt8]
    private let targetCount: Int
    private let fieldCount: Int
    private let body: [UInt8]

    /// A request with a method, a target (a path and maybe a query, as they are sent), fields and a body.
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

    /// Lets the request be looked at; nil when it is none, because its target or a field is not what may stand there or is too
    /// long. `connection` and `transport` are those of the exchange that it is made for.
    package func read<Result, Failure: Error>(
        for connection: ConnectionID, _ transport: Transport, _ limits: HTTPLimits = HTTPLimits(),
        _ look: (borrowing Request) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        let parsed = LoopState.makeHead(limits.headFieldsMax)
        defer {
            parsed.deinitialize(count: 1)
            parsed.deallocate()
        }
        // Line ends in a value would make fields, or a body, of it.
        guard parsed.pointee.parse(head.span, limits) == .complete, parsed.pointee.end == head.count,
            parsed.pointee.fieldCount == fieldCount, Int(parsed.pointee.target.count) == targetCount
        else { return nil }
        parsed.pointee.bodyCount = body.count
        let bytes = head + body
        let base = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 8)
        defer { base.deallocate() }
        bytes.withUnsafeBytes { base.copyMemory(from: $0.baseAddress!, byteCount: bytes.count) }
        // SAFETY: the bytes and the head that was parsed of them are there until the request, which cannot escape, is gone.
        return try look(
            Request(base: base, head: UnsafePointer(parsed), connection: connection, transport: transport))
    }
}

/// Writes one response: the only place that makes response heads. The order of calls is free but for the last one, which
/// is `body`, `empty` or `stream`. Date, Content-Length and Connection are the writer's own business.
///
/// A field value with CR, LF or NUL in it is never sent: the whole answer becomes a 500, and `refusal` says why.
package struct ResponseWriter: ~Copyable {
    /// What has been written so far.
    enum Phase { case nothing, head, complete, stream }

    // SAFETY: both belong to the event loop that made the writer and outlive it; the writer is used on its thread only.
    let output: UnsafeMutablePointer<ByteBuffer>
    let date: UnsafePointer<DateLine>
    let start: Int
    private(set) var phase = Phase.nothing
    private(set) var code = 200
    private var statusEnd = 0
    private let omitsBody: Bool
    private let origins: Origins?
    private let origin: Int
    /// What is known of the request besides its bytes; whoever answers adds to it.
    package var trace: RequestTrace
    let isHTTP10: Bool
    private(set) var keepsAlive: Bool
    /// Why the answer was replaced by a 500; nil when it was not.
    package private(set) var refusal: StaticString?

    init(
        output: UnsafeMutablePointer<ByteBuffer>, date: UnsafePointer<DateLine>, omitsBody: Bool, isHTTP10: Bool,
        keepsAlive: Bool, origins: Origins? = nil, origin: Int = -1, trace: RequestTrace = RequestTrace()
    ) {
        self.trace = trace
        self.output = output
        self.date = date
        self.start = output.pointee.count
        self.omitsBody = omitsBody
        self.isHTTP10 = isHTTP10
        self.keepsAlive = keepsAlive
        self.origins = origins
        self.origin = origin
    }

    /// Whether this goes to a page of another origin that may read it.
    package var crossesOrigins: Bool { origin >= 0 }

    /// The status code, from 200 to 599; 200 when never called.
    package mutating func status(_ code: Int) {
        guard phase == .nothing || phase == .head else { return }
        guard (200...599).contains(code) else { return refuse("a status outside 200 to 599") }
        if phase == .head { return replaceStatus(code) }
        self.code = code
        begin()
    }

    package mutating func field(_ name: StaticString, _ value: StaticString) {
        field(name, value.utf8Start, value.utf8CodeUnitCount)
    }

    /// A field with these bytes as its value.
    package mutating func field(_ name: StaticString, _ value: RawSpan) {
        value.withUnsafeBytes { field(name, $0.baseAddress, $0.count) }
    }

    /// A field with these bytes as its value.
    package mutating func field(_ name: StaticString, _ value: [UInt8]) {
        value.withUnsafeBytes { field(name, $0.baseAddress, $0.count) }
    }

    @_disfavoredOverload
    package mutating func field(_ name: StaticString, _ value: String) {
        var value = value
        value.withUTF8 { field(name, UnsafeRawPointer($0.baseAddress), $0.count) }
    }

    package mutating func field(_ name: StaticString, _ value: Int) {
        guard prepare(name) else { return }
        output.pointee.append(decimal: value)
        output.pointee.append("\r\n")
    }

    /// Closes the connection after this answer.
    package mutating func close() { keepsAlive = false }

    /// Completes the response with this body. To HEAD it is not sent, but counted; 204 and 304 never have one.
    package mutating func body(_ bytes: RawSpan, type: StaticString) {
        bytes.withUnsafeBytes { complete($0.baseAddress, $0.count, type) }
    }

    /// Completes the response with this body.
    package mutating func body(_ bytes: [UInt8], type: StaticString) {
        bytes.withUnsafeBytes { complete($0.baseAddress, $0.count, type) }
    }

    /// Completes the response with this constant body.
    @_disfavoredOverload
    package mutating func body(_ text: StaticString, type: StaticString) {
        complete(text.utf8Start, text.utf8CodeUnitCount, type)
    }

    /// Completes the response without a body.
    package mutating func empty() { complete(nil, 0, nil) }

    /// Writes the head of a stream (200 unless `status` says otherwise) and its first bytes: in chunks to HTTP/1.1, up to the
    /// connection's end to HTTP/1.0. The handler returns `.stream` and sends more after the first `streamWritable`. To HEAD it
    /// is a whole answer, with the fields that GET would get.
    package mutating func stream(_ first: [UInt8], type: StaticString) {
        guard phase == .nothing || phase == .head else { return }
        if phase == .nothing { begin() }
        self.type(type)
        guard phase == .head else { return }
        // What opens a stream may be in its URL.
        output.pointee.append("Referrer-Policy: no-referrer\r\n")
        if !isHTTP10 { output.pointee.append("Transfer-Encoding: chunked\r\n") }
        keepsAlive = false
        endHead()
        if !omitsBody { output.pointee.append(frames: CollectionOfOne(first), chunked: !isHTTP10) }
        phase = omitsBody ? .complete : .stream
    }

    /// Completes what the handler left open.
    mutating func finish() {
        if phase == .nothing || phase == .head { empty() }
    }

    private mutating func begin() {
        if phase != .nothing { return }
        phase = .head
        StatusLine.append(code, to: &output.pointee)
        statusEnd = output.pointee.count
        date.pointee.append(to: &output.pointee)
        if let origins { origins.append(origin, to: &output.pointee) }
        if let id = trace.id { id.appendField(to: &output.pointee) }
        if trace.isByCookie { output.pointee.append("Vary: Cookie\r\n") }
    }

    private mutating func replaceStatus(_ code: Int) {
        let tailStart = statusEnd
        let tailCount = output.pointee.count - tailStart
        let tail = [UInt8](unsafeUninitializedCapacity: tailCount) { room, count in
            if let to = room.baseAddress, let base = output.pointee.base {
                UnsafeMutableRawPointer(to).copyMemory(from: base + tailStart, byteCount: tailCount)
            }
            count = tailCount
        }
        output.pointee.count = start
        self.code = code
        StatusLine.append(code, to: &output.pointee)
        statusEnd = output.pointee.count
        tail.withUnsafeBytes { if let from = $0.baseAddress { output.pointee.append(from, tailCount) } }
    }

    @inline(__always)
    private mutating func prepare(_ name: StaticString) -> Bool {
        guard phase == .nothing || phase == .head else { return false }
        if phase == .nothing { begin() }
        output.pointee.append(name)
        output.pointee.append(": ")
        return true
    }

    @inline(__always)
    private mutating func field(_ name: StaticString, _ value: UnsafeRawPointer?, _ count: Int) {
        guard prepare(name) else { return }
        guard let value else { return output.pointee.append("\r\n") }
        let room = output.pointee.reserve(count + 2)
        for index in 0..<count {
            let byte = value.load(fromByteOffset: index, as: UInt8.self)
            if byte == 0 || byte == ASCII.lineFeed || byte == ASCII.carriageReturn {
                return refuse("a field value with CR, LF or NUL")
            }
            room.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
        }
        room.storeBytes(of: 0x0A0D, toByteOffset: count, as: UInt16.self)
        output.pointee.count &+= count &+ 2
    }

    /// What a body is, and that it is nothing else: readers write what is in it.
    private mutating func type(_ type: StaticString) {
        field("Content-Type", type)
        if phase == .head { output.pointee.append("X-Content-Type-Options: nosniff\r\n") }
    }

    private mutating func complete(_ bytes: UnsafeRawPointer?, _ count: Int, _ type: StaticString?) {
        guard phase == .nothing || phase == .head else { return }
        if phase == .nothing { begin() }
        let hasBody = code != 204 && code != 304
        if hasBody, let type {
            self.type(type)
            guard phase == .head else { return }
        }
        if hasBody {
            output.pointee.append("Content-Length: ")
            output.pointee.append(decimal: count)
            output.pointee.append("\r\n")
        }
        endHead()
        if hasBody, !omitsBody, let bytes { output.pointee.append(bytes, count) }
        phase = .complete
    }

    private func endHead() {
        if !keepsAlive {
            output.pointee.append("Connection: close\r\n")
        } else if isHTTP10 {
            output.pointee.append("Connection: keep-alive\r\n")
        }
        output.pointee.append("\r\n")
    }

    /// Drops what was written and answers 500.
    mutating func refuse(_ reason: StaticString) {
        output.pointee.count = start
        refusal = reason
        code = 500
        phase = .nothing
        let id = trace.id.map { ",\"requestId\":\"\($0)\"" } ?? ""
        let problem = """
            {"type":"/problems/internal-error","title":"A fault of the server","status":500,\
            "detail":"The answer could not be written."\(id)}
            """
        body([UInt8](problem.utf8), type: "application/problem+json")
    }
}

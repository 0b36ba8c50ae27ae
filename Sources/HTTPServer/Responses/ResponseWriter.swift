/// A writer of one response, and the only place that makes response heads. The order of calls is free, but the last
/// call is `body`, `empty` or `stream`. The writer adds Date, Content-Length and Connection itself.
///
/// A field value with CR, LF or NUL is never sent: a 500 replaces the whole response, and `refusal` has the reason.
package struct ResponseWriter: ~Copyable {
    // SAFETY: both belong to the event loop that made the writer and outlive it; the writer is used on its thread only.
    let output: UnsafeMutablePointer<ByteBuffer>
    let date: UnsafePointer<DateHeaderField>
    let start: Int
    private(set) var phase = ResponsePhase.nothing
    private(set) var code = 200
    private var statusEnd = 0
    private(set) var terms: ResponseTerms
    /// The facts about the request that are kept until its end. The handler adds to them.
    package var trace: RequestTrace
    /// The reason why a 500 replaced the response, or `nil` if none did.
    package private(set) var refusal: StaticString?

    init(
        output: UnsafeMutablePointer<ByteBuffer>, date: UnsafePointer<DateHeaderField>, _ terms: ResponseTerms,
        trace: RequestTrace = RequestTrace()
    ) {
        self.output = output
        self.date = date
        self.start = output.pointee.count
        (self.terms, self.trace) = (terms, trace)
    }

    /// A Boolean value indicating whether the response goes to a page of another origin that may read it.
    package var crossesOrigins: Bool { AllowedOrigins.allow(terms.originFields) }

    /// Sets the status code, from 200 to 599. The default is 200.
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

    /// Adds a field with these bytes as its value.
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

    /// Completes the response with a body. A response to HEAD includes its length only; 204 and 304 never have a body.
    package mutating func body(_ bytes: [UInt8], type: StaticString) {
        bytes.withUnsafeBytes { complete($0.baseAddress, $0.count, type) }
    }

    /// Completes the response without a body.
    package mutating func empty() { complete(nil, 0, nil) }

    /// Writes the head of a stream (with status 200 by default) and its first bytes: in chunks for HTTP/1.1, up to the
    /// connection's end for HTTP/1.0. The handler returns `.stream` and sends more after the first `streamWritable`.
    /// For HEAD the response is complete, with the fields that GET would get. A finite stream, such as a file, is also
    /// sent to a client that sends no more.
    package mutating func stream(_ first: [UInt8], type: StaticString, isFinite: Bool = false) {
        guard phase == .nothing || phase == .head else { return }
        if phase == .nothing { begin() }
        self.type(type)
        guard phase == .head else { return }
        // A stream's URL may contain its credentials.
        output.pointee.append("Referrer-Policy: no-referrer\r\n")
        if !terms.isHTTP10 { output.pointee.append("Transfer-Encoding: chunked\r\n") }
        (terms.keepsAlive, terms.isFinite) = (false, isFinite)
        endHead()
        if !terms.omitsBody { output.pointee.append(frames: CollectionOfOne(first), chunked: !terms.isHTTP10) }
        phase = terms.omitsBody ? .complete : .stream
    }

    /// Completes a response that the handler did not complete.
    mutating func finish() {
        if phase == .nothing || phase == .head { empty() }
    }

    private mutating func begin() {
        if phase != .nothing { return }
        phase = .head
        StatusLine.append(code, to: &output.pointee)
        statusEnd = output.pointee.count
        date.pointee.append(to: &output.pointee)
        terms.originFields.withUnsafeBytes { if let base = $0.baseAddress { output.pointee.append(base, $0.count) } }
        if let id = trace.id { id.appendField(to: &output.pointee) }
        if trace.isByCookie { output.pointee.append("Vary: Cookie\r\n") }
    }

    private mutating func replaceStatus(_ code: Int) {
        let written = UnsafeRawBufferPointer(start: output.pointee.base, count: output.pointee.count)
        let tail = [UInt8](written[statusEnd...])
        output.pointee.count = start
        self.code = code
        StatusLine.append(code, to: &output.pointee)
        statusEnd = output.pointee.count
        tail.withUnsafeBytes { if let from = $0.baseAddress { output.pointee.append(from, $0.count) } }
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

    /// Adds the Content-Type, and forbids sniffing: bodies contain text that readers wrote.
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
        if hasBody, !terms.omitsBody, let bytes { output.pointee.append(bytes, count) }
        phase = .complete
    }

    private func endHead() {
        if !terms.keepsAlive {
            output.pointee.append("Connection: close\r\n")
        } else if terms.isHTTP10 {
            output.pointee.append("Connection: keep-alive\r\n")
        }
        output.pointee.append("\r\n")
    }

    /// Replaces the written response by a 500.
    mutating func refuse(_ reason: StaticString) {
        output.pointee.count = start
        refusal = reason
        code = 500
        phase = .nothing
        let id = trace.id.map { ",\"requestId\":\"\($0)\"" } ?? ""
        let problem = """
            {"type":"/problems/internal-error","title":"Internal error","status":500,\
            "detail":"The response could not be written."\(id)}
            """
        body([UInt8](problem.utf8), type: "application/problem+json")
    }
}

/// The progress of the response.
enum ResponsePhase { case nothing, head, complete, stream }

/// The terms of a response that follow from its request, also while the response is deferred.
struct ResponseTerms {
    /// The fields about the request's origin; see `AllowedOrigins`.
    var originFields: [UInt8] = []
    var omitsBody = false
    var isHTTP10 = false
    var keepsAlive = true
    /// A Boolean value indicating whether the response is a stream that ends by itself.
    var isFinite = false
}

package import Bytes

/// A complete request: views into the event loop's buffer, valid while `handle` runs. Nothing is copied or decoded
/// before somebody asks.
package struct Request: ~Escapable {
    // SAFETY: both point into storage that the event loop neither moves nor frees while `handle` runs, and a Request
    // cannot escape `handle`. `head` was filled by the parser for these very bytes.
    let base: UnsafeRawPointer
    let head: UnsafePointer<RequestHead>
    /// Names this exchange: for a deferred answer, or the stream it becomes.
    package let connection: ConnectionID
    package let transport: Transport
    /// Who is at the other end of the connection, maybe a proxy; nil on a Unix socket.
    package var peer: IPAddress? { if case .tcp(let address) = transport { address } else { nil } }

    @_lifetime(immortal)
    init(
        base: UnsafeRawPointer, head: UnsafePointer<RequestHead>, connection: ConnectionID, transport: Transport
    ) {
        self.base = base
        self.head = head
        self.connection = connection
        self.transport = transport
    }

    /// The method, `other` when it is none of the known ones.
    package var method: Method { head.pointee.method }
    /// The method as it was sent.
    package var methodText: RawSpan {
        @_lifetime(copy self) get { span(head.pointee.methodText) }
    }
    /// The request target as it was sent: printable ASCII.
    package var target: RawSpan {
        @_lifetime(copy self) get { span(head.pointee.target) }
    }
    /// The path of the target, still percent-encoded: begins with `/`, or is `*` (for OPTIONS only).
    package var path: RawSpan {
        @_lifetime(copy self) get {
            head.pointee.path.count == 0 ? Self.root : span(head.pointee.path)
        }
    }
    /// What follows the first `?` of the target; empty when there is none.
    package var query: RawSpan {
        @_lifetime(copy self) get { span(head.pointee.query) }
    }
    /// The authority the client speaks to: that of an absolute target, otherwise the Host field (RFC 9112, 3.3). Empty
    /// when an HTTP/1.0 client names none.
    package var host: RawSpan {
        @_lifetime(copy self) get { span(head.pointee.authority) }
    }
    /// The client speaks HTTP/1.0.
    package var isHTTP10: Bool { head.pointee.isHTTP10 }
    /// The whole body, without its chunks' framing; empty when there is none.
    package var body: RawSpan {
        @_lifetime(copy self) get {
            span(base + head.pointee.end, head.pointee.bodyCount)
        }
    }

    /// The value of the first field of this name (case does not matter), without the space around it.
    @_lifetime(copy self)
    package func field(_ name: StaticString) -> RawSpan? {
        field(name, occurrence: 0)
    }

    /// The value of the n-th field of this name: for list fields, which may be repeated.
    @_lifetime(copy self)
    package func field(_ name: StaticString, occurrence: Int) -> RawSpan? {
        var left = occurrence
        for index in 0..<head.pointee.fieldCount {
            let line = head.pointee.fields[index]
            guard
                line.name.count == name.utf8CodeUnitCount,
                span(line.name).bytes.equalsIgnoringCase(name)
            else { continue }
            if left == 0 { return span(line.value) }
            left -= 1
        }
        return nil
    }

    package var fieldCount: Int { head.pointee.fieldCount }

    /// The name of the field at this index, as it was sent.
    @_lifetime(copy self)
    package func fieldName(at index: Int) -> RawSpan {
        precondition(index >= 0 && index < fieldCount)
        return span(head.pointee.fields[index].name)
    }

    /// The value of the field at this index.
    @_lifetime(copy self)
    package func fieldValue(at index: Int) -> RawSpan {
        precondition(index >= 0 && index < fieldCount)
        return span(head.pointee.fields[index].value)
    }

    @_lifetime(copy self)
    @inline(__always)
    private func span(_ stretch: Stretch) -> RawSpan {
        span(base + Int(stretch.start), Int(stretch.count))
    }

    @_lifetime(copy self)
    @inline(__always)
    private func span(_ start: UnsafeRawPointer, _ count: Int) -> RawSpan {
        // SAFETY: the stretch lies within the request's bytes, and the span lives no longer than the request.
        unsafe _overrideLifetime(RawSpan(_unsafeStart: start, byteCount: count), copying: self)
    }

    private static var root: RawSpan {
        @_lifetime(immortal) get {
            let text: StaticString = "/"
            // SAFETY: a StaticString's bytes live as long as the process.
            return unsafe _overrideLifetime(RawSpan(_unsafeStart: text.utf8Start, byteCount: 1), copying: ())
        }
    }
}

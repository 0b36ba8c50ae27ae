package import Bytes

/// A complete request: views into the event loop's buffer, valid while `handle` runs. Nothing is copied or decoded
/// before it is used.
package struct Request: ~Escapable {
    // SAFETY: both point into storage that the event loop neither moves nor frees while `handle` runs, and a Request
    // cannot escape `handle`. `head` was filled by the parser for these very bytes.
    let base: UnsafeRawPointer
    let head: UnsafePointer<RequestHead>
    /// The identity of this exchange, for a deferred response or a stream.
    package let connection: ConnectionID
    package let transport: ConnectionTransport
    /// The address of the connection's peer, maybe a proxy, or `nil` on a Unix socket.
    package var peer: IPAddress? { if case .tcp(let address) = transport { address } else { nil } }

    @_lifetime(immortal)
    init(
        base: UnsafeRawPointer, head: UnsafePointer<RequestHead>, connection: ConnectionID,
        transport: ConnectionTransport
    ) {
        self.base = base
        self.head = head
        self.connection = connection
        self.transport = transport
    }

    /// The method, or `other` if it is unknown.
    package var method: HTTPMethod { head.pointee.method }
    /// The method as it was sent.
    package var methodText: RawSpan {
        @_lifetime(copy self) get { span(head.pointee.methodText) }
    }
    /// The request target as it was sent: printable ASCII.
    package var target: RawSpan {
        @_lifetime(copy self) get { span(head.pointee.target) }
    }
    /// The path of the target, still percent-encoded: it begins with `/`, or is `*` (for OPTIONS only).
    package var path: RawSpan {
        @_lifetime(copy self) get { head.pointee.path.count == 0 ? Self.root : span(head.pointee.path) }
    }
    /// The part of the target after the first `?`; empty if there is none.
    package var query: RawSpan {
        @_lifetime(copy self) get { span(head.pointee.query) }
    }
    /// The authority that the client addresses: that of an absolute target, otherwise the Host field (RFC 9112, 3.3).
    /// Empty if an HTTP/1.0 client names none.
    package var host: RawSpan {
        @_lifetime(copy self) get { span(head.pointee.authority) }
    }
    /// The whole body, without chunk framing; empty if there is none.
    package var body: RawSpan {
        @_lifetime(copy self) get { span(base + head.pointee.end, head.pointee.bodyCount) }
    }

    /// Returns the trimmed value of the n-th field with this name, from 0, ignoring case. List fields may be repeated.
    @_lifetime(copy self)
    package func field(_ name: StaticString, occurrence: Int = 0) -> RawSpan? {
        var left = occurrence
        for index in 0..<head.pointee.fieldCount {
            let line = head.pointee.fields[index]
            guard line.name.count == name.utf8CodeUnitCount, span(line.name).bytes.equalsIgnoringCase(name) else {
                continue
            }
            if left == 0 { return span(line.value) }
            left -= 1
        }
        return nil
    }

    package var fieldCount: Int { head.pointee.fieldCount }

    /// Returns the name of the field at an index, as it was sent.
    @_lifetime(copy self)
    package func fieldName(at index: Int) -> RawSpan {
        precondition(index >= 0 && index < fieldCount)
        return span(head.pointee.fields[index].name)
    }

    /// Returns the value of the field at an index.
    @_lifetime(copy self)
    package func fieldValue(at index: Int) -> RawSpan {
        precondition(index >= 0 && index < fieldCount)
        return span(head.pointee.fields[index].value)
    }

    @_lifetime(copy self)
    @inline(__always)
    private func span(_ stretch: ByteRange) -> RawSpan {
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

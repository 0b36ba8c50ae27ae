import Bytes
internal import Glibc
internal import Measures

/// The end of connections.
extension EventLoop {
    /// Closes a connection that has sent everything. If unread bytes may be left, an immediate close would reset the
    /// connection and discard the response (RFC 9112, 9.6). In that case only the sending side shuts down, and the
    /// client gets a moment to close.
    func finishClosing(_ connection: ConnectionPointer) {
        if !connection.pointee.lingers, !connection.pointee.isReadable { return close(connection) }
        connection.pointee.phase = .lingering
        // It fails if the client has already closed the connection.
        shutdown(connection.pointee.descriptor, Int32(SHUT_WR))
        setDeadline(connection, limits.lingerSecondsMax)
        if connection.pointee.isReadable || connection.pointee.isPeerDone { queue(connection) }
    }

    /// Reads and discards bytes until the client closes or the deadline passes.
    func linger(_ connection: ConnectionPointer) {
        let count = recv(connection.pointee.descriptor, readBuffer, Self.readBufferBytes, 0)
        if count == Self.readBufferBytes { return queue(connection) }
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { return close(connection) }
        connection.pointee.isReadable = false
        if connection.pointee.isPeerDone { close(connection) }
    }

    /// Closes at once and frees the slot. A handler that waits for this connection is notified after the current round.
    func close(_ connection: ConnectionPointer) {
        if connection.pointee.phase == .free { return }
        if connection.pointee.phase == .deferred { end(connection, RequestEnd.statusAbandoned, .abandoned) }
        if connection.pointee.phase == .stream { end(connection, 200, .streamEnd) }
        if connection.pointee.phase == .stream || connection.pointee.phase == .deferred {
            state.pointee.closed.append(id(connection))
        }
        // Send errors were reported when they happened; closing a socket reports nothing further.
        Glibc.close(connection.pointee.descriptor)
        state.pointee.bufferedBytes -= connection.pointee.bufferedBytes
        if let head = connection.pointee.head { EventLoopState.free(head) }
        let (slot, generation) = (connection.pointee.slot, connection.pointee.generation)
        connection.pointee = HTTPConnection(slot: slot, generation: generation &+ 1)
        state.pointee.table.release(connection)
        addConnections(-1)
    }

    /// Reports the end of a connection's current exchange to the handler.
    func end(_ connection: ConnectionPointer, _ status: Int, _ outcome: RequestOutcome) {
        state.pointee.handler?.ended(
            RequestEnd(connection.pointee.trace, status: status, outcome, at: MonotonicClock.nanoseconds()))
    }

    /// Reports closed connections to the handler, outside of the handler's own calls.
    func reportClosed() {
        while !state.pointee.closed.isEmpty {
            let closed = state.pointee.closed
            state.pointee.closed = []
            for id in closed { state.pointee.handler?.connectionClosed(id) }
        }
    }

    /// Writes the response to a refused request, of which `bytes` have arrived. The connection closes after it.
    func write(_ refusal: RequestRefusal, of bytes: UnsafeRawBufferPointer, _ connection: ConnectionPointer) {
        append(refusal, of: bytes)
        connection.pointee.phase = .closing
        connection.pointee.lingers = true
    }

    /// Appends the response to a refusal to the output. The request's method may not have been parsed.
    func append(_ refusal: RequestRefusal, of bytes: UnsafeRawBufferPointer) {
        let head = EventLoopState.makeHead(limits.headFieldsMax)
        defer { EventLoopState.free(head) }
        // SAFETY: the bytes outlive the span, the head and the request.
        head.pointee.takeFields(ofRefused: unsafe Span<UInt8>(_unsafeBytes: bytes))
        let request = Request(
            base: bytes.baseAddress ?? UnsafeRawPointer(readBuffer), head: UnsafePointer(head),
            connection: ConnectionID(loop: Int32(index), slot: 0, generation: 0), transport: .tcp(.unspecified))
        let trace = RequestTrace(id: requestID(of: request))
        let terms = ResponseTerms(
            originFields: origins?.fields(of: request) ?? [], omitsBody: bytes.starts(with: "HEAD ".utf8),
            keepsAlive: false)
        var response = ResponseWriter(output: output, date: UnsafePointer(date), terms, trace: trace)
        let body = refusal.problem(limits, trace.id)
        state.pointee.handler?.ended(
            RequestEnd(trace, status: refusal.kind.status, .refusal, refusal: refusal.kind, at: trace.began))
        let seconds = refusal.kind.retryAfterSeconds
        if let seconds, EmptyEventStream.isAsked(by: request) {
            return EmptyEventStream.write(after: seconds, reason: body, to: &response)
        }
        response.status(refusal.kind.status)
        if let seconds { response.field("Retry-After", seconds) }
        response.field("Cache-Control", "no-store")
        response.body(body, type: "application/problem+json")
    }

    /// Sends the response to a refused, buffered request at once. Returns `false` if the connection had to be closed.
    func sendRefusal(_ connection: ConnectionPointer, _ kind: RequestRefusalKind) -> Bool {
        let mark = output.pointee.count
        let input = UnsafeRawBufferPointer(start: connection.pointee.input.base, count: connection.pointee.input.count)
        write(RequestRefusal(kind), of: input, connection)
        changeBuffers(of: connection) { $0.input.release() }
        return send(from: mark, connection)
    }

    /// Refuses a buffered request because of a deadline or full buffers.
    func refuse(_ connection: ConnectionPointer, _ kind: RequestRefusalKind) {
        if sendRefusal(connection, kind), !connection.pointee.hasUnsentOutput { finishClosing(connection) }
    }

    func assertConfined() {
        assert(pthread_equal(state.pointee.thread, pthread_self()) != 0, "an event loop belongs to its thread")
    }
}

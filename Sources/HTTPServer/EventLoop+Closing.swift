internal import Glibc

/// The ends of connections.
extension EventLoop {
    /// Everything has been sent. Where unread bytes may be left, closing at once would reset the connection and take the
    /// answer with it (RFC 9112, 9.6): then only our side is shut, and the client has a moment to close its own.
    func finishClosing(_ connection: ConnectionPointer) {
        if !connection.pointee.lingers, !connection.pointee.isReadable { return close(connection) }
        connection.pointee.phase = .lingering
        // It fails if the client has already closed the connection.
        shutdown(connection.pointee.descriptor, Int32(SHUT_WR))
        setDeadline(connection, limits.lingerSecondsMax)
        if connection.pointee.isReadable || connection.pointee.isPeerDone { queue(connection) }
    }

    /// Reads and forgets, until the client closes or its time is over.
    func linger(_ connection: ConnectionPointer) {
        let count = recv(connection.pointee.descriptor, readBuffer, Self.readBufferBytes, 0)
        if count == Self.readBufferBytes { return queue(connection) }
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { return close(connection) }
        connection.pointee.isReadable = false
        if connection.pointee.isPeerDone { close(connection) }
    }

    /// Closes at once and frees the slot. A handler that waits for this connection is told after the present round.
    func close(_ connection: ConnectionPointer) {
        if connection.pointee.phase == .free { return }
        if connection.pointee.phase == .deferred { end(connection, RequestEnd.statusAbandoned, .abandoned) }
        if connection.pointee.phase == .stream { end(connection, 200, .streamEnd) }
        if connection.pointee.phase == .stream || connection.pointee.phase == .deferred {
            state.pointee.closed.append(id(connection))
        }
        // Send errors were reported when they happened; closing a socket reports nothing further.
        Glibc.close(connection.pointee.descriptor)
        state.pointee.wheel.unlink(connection, state.pointee.table)
        let before = connection.pointee.bufferedBytes
        connection.pointee.input.release()
        connection.pointee.output.buffer.release()
        connection.pointee.output.start = 0
        account(connection, before)
        if let head = connection.pointee.head { state.pointee.takeBack(head) }
        connection.pointee.head = nil
        connection.pointee.account = nil
        connection.pointee.phase = .free
        connection.pointee.descriptor = -1
        connection.pointee.generation &+= 1
        state.pointee.table.give(back: connection)
        load.add(-1)
    }

    /// Says that what was begun on a connection is over.
    func end(_ connection: ConnectionPointer, _ status: Int, _ outcome: RequestEnd.Outcome) {
        state.pointee.handler?.ended(
            RequestEnd(connection.pointee.trace, status: status, outcome, at: MonotonicClock.nanoseconds()))
    }

    /// Tells the handler what it has not been told yet, outside of all its own calls.
    func reportClosed() {
        while !state.pointee.closed.isEmpty {
            var closed: [ConnectionID] = []
            swap(&closed, &state.pointee.closed)
            for id in closed { state.pointee.handler?.connectionClosed(id) }
        }
    }

    /// Answers a request that is refused in the midst of these bytes of it; the connection is closed after it.
    func write(_ refusal: Refusal, of bytes: UnsafeRawBufferPointer, _ connection: ConnectionPointer) {
        append(refusal, of: bytes)
        connection.pointee.phase = .closing
        connection.pointee.lingers = true
    }

    /// The refusal's answer, to the output. The request may not have been parsed so far as to know its method.
    func append(_ refusal: Refusal, of bytes: UnsafeRawBufferPointer) {
        let glimpse = Glimpse(bytes, origins)
        let trace = RequestTrace(id: glimpse.id ?? state.pointee.requestNumbers.next())
        var response = ResponseWriter(
            output: output, date: UnsafePointer(date), omitsBody: bytes.starts(with: "HEAD ".utf8), isHTTP10: false,
            keepsAlive: false, origins: origins, origin: glimpse.origin, trace: trace)
        let body = Problem.body(refusal, limits, trace.id)
        state.pointee.handler?.ended(RequestEnd(trace, refused: refusal.kind))
        let seconds = refusal.kind.retryAfterSeconds
        if let seconds, glimpse.asksStream {
            return EmptyStream.write(after: seconds, reason: body, to: &response)
        }
        response.status(refusal.status)
        if let seconds { response.field("Retry-After", seconds) }
        response.field("Cache-Control", "no-store")
        response.body(body, type: "application/problem+json")
    }

    /// Refuses outside of a batch: a deadline, or full buffers.
    func refuse(_ connection: ConnectionPointer, _ refusal: Refusal) {
        let mark = output.pointee.count
        let input = UnsafeRawBufferPointer(start: connection.pointee.input.base, count: connection.pointee.input.count)
        write(refusal, of: input, connection)
        let before = connection.pointee.bufferedBytes
        connection.pointee.input.release()
        account(connection, before)
        guard send(from: mark, connection) else { return }
        if !connection.pointee.isKept { finishClosing(connection) }
    }

    func assertConfined() {
        assert(pthread_equal(state.pointee.thread, pthread_self()) != 0, "an event loop belongs to its thread")
    }
}

internal import Glibc

/// Sending of responses and frames. Bytes that the socket does not accept are kept with the connection. The client's
/// next request is not processed until they are sent.
extension EventLoop {
    /// Writes a deferred response, once `handle` has returned `.deferred`. Returns `false` if the connection closed or
    /// the exchange is over; no callback follows.
    @discardableResult
    package func answer(_ id: ConnectionID, _ write: (inout ResponseWriter) -> Void) -> Bool {
        assertConfined()
        guard let connection = connection(id), connection.pointee.phase == .deferred else { return false }
        let mark = output.pointee.count
        if isDraining { connection.pointee.terms.keepsAlive = false }
        var response = ResponseWriter(
            output: output, date: UnsafePointer(date), connection.pointee.terms, trace: connection.pointee.trace)
        write(&response)
        finish(&response, connection)
        if connection.pointee.phase == .idle { setDeadline(connection, limits.idleSecondsMax) }
        guard send(from: mark, connection) else { return false }
        if connection.pointee.hasUnsentOutput { return true }
        if connection.pointee.phase == .closing { finishClosing(connection) } else { queue(connection) }
        return true
    }

    /// Sends frames to a stream, in one call. Returns `.gone` before the stream's first `streamWritable`. While bytes
    /// are kept, more are added up to `HTTPLimits.streamKeptBytesMax`; callers should wait for `streamWritable`.
    package func send(_ frames: [[UInt8]], to id: ConnectionID) -> StreamSendResult { send(all: frames, to: id) }

    package func send(_ frame: [UInt8], to id: ConnectionID) -> StreamSendResult {
        send(all: CollectionOfOne(frame), to: id)
    }

    /// Ends a stream after its kept bytes. No callback follows. Does nothing if the stream has already ended.
    package func end(_ id: ConnectionID) {
        assertConfined()
        guard let connection = connection(id), connection.pointee.phase == .stream else { return }
        let lastChunk: StaticString = "0\r\n\r\n"
        if !connection.pointee.terms.isHTTP10,
            sendOrKeep(lastChunk.utf8Start, lastChunk.utf8CodeUnitCount, connection) == .gone
        {
            return
        }
        end(connection, 200, .streamEnd)
        connection.pointee.phase = .closing
        connection.pointee.owesWritable = false
        if !connection.pointee.hasUnsentOutput { finishClosing(connection) }
    }

    /// Closes a stream without a regular end, so the client can detect the loss.
    package func cut(_ id: ConnectionID) {
        assertConfined()
        guard let connection = connection(id), connection.pointee.phase == .stream else { return }
        close(connection)
    }

    /// Sends frames to a stream by copying them into one buffer, which is in the CPU cache. For all but the largest
    /// frames this is cheaper than passing the pieces to the kernel.
    @inline(__always)
    private func send(all frames: some Collection<[UInt8]>, to id: ConnectionID) -> StreamSendResult {
        assertConfined()
        guard let connection = connection(id), connection.pointee.phase == .stream else { return .gone }
        let mark = output.pointee.count
        defer { trimOutput(mark) }
        output.pointee.append(frames: frames, chunked: !connection.pointee.terms.isHTTP10)
        guard let base = output.pointee.base, output.pointee.count > mark else {
            return connection.pointee.hasUnsentOutput ? .kept : .sent
        }
        return sendOrKeep(base + mark, output.pointee.count - mark, connection)
    }

    @inline(__always)
    private func sendOrKeep(_ start: UnsafeRawPointer, _ count: Int, _ connection: ConnectionPointer)
        -> StreamSendResult
    {
        let kept = connection.pointee.output.count - connection.pointee.sentCount
        if kept > 0, kept + count > limits.streamKeptBytesMax {
            close(connection)
            return .gone
        }
        guard send(start, count, connection) else { return .gone }
        guard connection.pointee.hasUnsentOutput else {
            setStreamDeadline(connection)
            return .sent
        }
        connection.pointee.owesWritable = true
        // More frames give a client that does not read no more time.
        if kept == 0 { setDeadline(connection, limits.writeStallSecondsMax) }
        return .kept
    }

    /// Sends the output buffer from `mark` on, and truncates it to `mark`. Returns `false` if the connection had to be
    /// closed.
    func send(from mark: Int, _ connection: ConnectionPointer) -> Bool {
        let count = output.pointee.count - mark
        guard count > 0, let base = output.pointee.base else { return true }
        defer { trimOutput(mark) }
        guard send(base + mark, count, connection) else { return false }
        if connection.pointee.hasUnsentOutput { setDeadline(connection, limits.writeStallSecondsMax) }
        return true
    }

    /// Sends bytes behind the kept ones, and keeps those that the socket does not accept. Returns `false` if the
    /// connection had to be closed. The handler is notified only if the exchange was deferred or a stream.
    @inline(__always)
    private func send(_ start: UnsafeRawPointer, _ count: Int, _ connection: ConnectionPointer) -> Bool {
        let sent = connection.pointee.hasUnsentOutput ? 0 : sendNow(connection, start, count)
        if sent == count { return true }
        if sent >= 0 {
            changeBuffers(of: connection) { $0.output.append(start + sent, count - sent) }
            if state.pointee.bufferedBytes <= limits.bufferedBytesMax { return true }
        }
        close(connection)
        return false
    }

    /// Returns the number of bytes that the socket accepted: 0 if it is full, -1 if it is broken.
    @inline(__always)
    private func sendNow(_ connection: ConnectionPointer, _ start: UnsafeRawPointer, _ count: Int) -> Int {
        while true {
            let sent = Glibc.send(connection.pointee.descriptor, start, count, Int32(MSG_NOSIGNAL))
            if sent >= 0 { return sent }
            if errno == EINTR { continue }
            return errno == EAGAIN ? 0 : -1
        }
    }

    /// Sends kept bytes when the socket accepts more.
    func sendKept(_ connection: ConnectionPointer) {
        guard let base = connection.pointee.output.base else { return }
        let start = connection.pointee.sentCount
        let sent = sendNow(connection, base + start, connection.pointee.output.count - start)
        if sent < 0 { return close(connection) }
        connection.pointee.sentCount += sent
        if connection.pointee.hasUnsentOutput {
            if sent > 0 { setDeadline(connection, limits.writeStallSecondsMax) }
            return
        }
        changeBuffers(of: connection) { $0.output.release() }
        connection.pointee.sentCount = 0
        continueAfterKeptBytes(connection)
    }

    private func continueAfterKeptBytes(_ connection: ConnectionPointer) {
        switch connection.pointee.phase {
        case .closing: finishClosing(connection)
        case .stream: notifyWritableInTurn(connection)
        default:
            restoreDeadline(connection)
            queue(connection)
        }
    }

    /// Notifies the handler that a stream has sent all its frames, if the handler waits for that.
    func notifyWritable(_ connection: ConnectionPointer) {
        guard connection.pointee.phase == .stream, connection.pointee.owesWritable, !connection.pointee.hasUnsentOutput
        else {
            return
        }
        // The client left before the stream began: no other event will report it.
        if connection.pointee.isStreamClientGone { return close(connection) }
        connection.pointee.owesWritable = false
        setStreamDeadline(connection)
        let id = id(connection)
        work(for: connection) { $0.streamWritable(id) }
    }

    func trimOutput(_ mark: Int) {
        output.pointee.count = mark
        if mark == 0, output.pointee.capacity > 1_048_576 { output.pointee.release() }
    }
}

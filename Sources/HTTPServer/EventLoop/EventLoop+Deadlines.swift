internal import Glibc

/// Deadlines of connections.
extension EventLoop {
    @inline(__always)
    func setDeadline(_ connection: ConnectionPointer, _ seconds: Int) {
        connection.pointee.deadline = state.pointee.now + Int64(seconds) * 1000
    }

    /// Sets the deadline after which a stream without frames counts as idle.
    @inline(__always)
    func setStreamDeadline(_ connection: ConnectionPointer) {
        let own = Int(connection.pointee.streamIdleSeconds)
        setDeadline(connection, own > 0 ? own : limits.streamIdleSeconds)
    }

    /// Sets the seconds without a frame after which `streamIdle` is called for a stream or a request that becomes one.
    /// It takes effect with the stream's next frame.
    package func setIdle(_ id: ConnectionID, seconds: Int) {
        guard let connection = connection(id), [.handling, .stream].contains(connection.pointee.phase) else { return }
        connection.pointee.streamIdleSeconds = Int32(clamping: seconds)
    }

    /// Removes the deadline: the server sets none for a deferred response.
    func clearDeadline(_ connection: ConnectionPointer) {
        connection.pointee.deadline = .max
    }

    /// Sets the deadline of the connection's phase when no output is kept.
    func restoreDeadline(_ connection: ConnectionPointer) {
        connection.pointee.deadline =
            switch connection.pointee.phase {
            case .head: connection.pointee.since + Int64(limits.headSecondsMax) * 1000
            case .body: bodyDeadline(connection)
            case .deferred: .max
            default: state.pointee.now + Int64(limits.idleSecondsMax) * 1000
            }
    }

    /// Returns a body's deadline: its grace, and the time that its received bytes take at the minimum rate.
    private func bodyDeadline(_ connection: ConnectionPointer) -> Int64 {
        connection.pointee.since + Int64(limits.bodyGraceSeconds) * 1000 + bodyMillisecondsEarned(connection)
    }

    /// Returns the milliseconds that a body's received bytes take at the minimum rate.
    func bodyMillisecondsEarned(_ connection: ConnectionPointer) -> Int64 {
        let headBytes = connection.pointee.head?.pointee.end ?? 0
        let received = Int64(max(0, connection.pointee.input.count - headBytes))
        return received * 1000 / Int64(max(1, limits.bodyBytesPerSecondMin))
    }

    /// Handles expired deadlines and calls the handler's `tick`, once a second.
    func checkDeadlines() {
        let second = state.pointee.now / 1000
        if second == state.pointee.second { return }
        state.pointee.second = second
        resumeAccepting()
        // Reading the deadlines of 32,768 connections takes 0.3 ms.
        for slot in 0..<state.pointee.table.slotCount
        where state.pointee.table[slot].pointee.deadline <= state.pointee.now {
            expire(state.pointee.table[slot])
        }
        sweepTurns()
        state.pointee.handler?.tick(now: state.pointee.now)
    }

    private func expire(_ connection: ConnectionPointer) {
        if connection.pointee.hasUnsentOutput { return close(connection) }
        switch connection.pointee.phase {
        case .head: refuse(connection, .headTooSlow)
        case .body:
            let deadline = bodyDeadline(connection)
            if deadline <= state.pointee.now { return refuse(connection, .bodyTooSlow) }
            connection.pointee.deadline = deadline
        case .stream:
            setStreamDeadline(connection)
            state.pointee.handler?.streamIdle(id(connection))
        case .deferred: clearDeadline(connection)
        // A client whose request waits for its subject's turn owes no bytes.
        case .idle where connection.pointee.hasBacklog: setDeadline(connection, limits.idleSecondsMax)
        case .idle, .closing, .lingering: close(connection)
        case .free, .handling: break
        }
    }
}

internal import Glibc

/// The graceful end: the loop accepts no more, finishes the requests that have begun, and then closes the remaining
/// connections.
extension EventLoop {
    /// Starts draining, or moves the deadline forward. Call it on the loop's thread.
    func drain(until deadline: Int64) {
        let isFirst = state.pointee.drainDeadline == nil
        state.pointee.drainDeadline = min(deadline, state.pointee.drainDeadline ?? deadline)
        if isFirst {
            closeListeners()
            state.pointee.handler?.draining()
        }
    }

    /// Continues draining; runs in each round.
    func continueDraining() {
        closeIdle()
        reportClosed()
        let isOver = state.pointee.now >= state.pointee.drainDeadline ?? 0
        // The load includes connections that other threads handed over and this loop has not adopted yet.
        if isOver || connectionCount == 0 { state.pointee.isStopped = true }
    }

    func closeListeners() {
        for listener in state.pointee.listeners { listener.close() }
        state.pointee.listeners = []
        // Nothing is ever written to it.
        if state.pointee.reserve >= 0 { Glibc.close(state.pointee.reserve) }
        state.pointee.reserve = -1
    }

    /// Closes connections without a request. A request that lies unread in the socket is still answered.
    private func closeIdle() {
        for slot in 0..<state.pointee.table.slotCount {
            let connection = state.pointee.table[slot]
            guard connection.pointee.phase == .idle, !connection.pointee.hasUnsentOutput,
                connection.pointee.input.count == 0
            else { continue }
            let userData = connection.pointee.userData
            read(connection)
            if connection.pointee.userData == userData, connection.pointee.phase == .idle,
                !connection.pointee.hasUnsentOutput
            {
                close(connection)
            }
        }
    }

    func closeAll() {
        if !inbox.isEmpty { inbox.drain() }
        for slot in 0..<state.pointee.table.slotCount { close(state.pointee.table[slot]) }
        reportClosed()
        closeListeners()
    }
}

internal import Glibc

/// The graceful end: accept no more, finish what was begun, then cut what is left.
extension EventLoop {
    /// On the loop's thread.
    func drain(until deadline: Int64) {
        if let earlier = state.pointee.drainDeadline {
            state.pointee.drainDeadline = min(earlier, deadline)
        } else {
            state.pointee.drainDeadline = deadline
        }
    }

    /// Each round while draining.
    func goOnDraining() {
        if !state.pointee.isDraining {
            state.pointee.isDraining = true
            closeListeners()
            state.pointee.handler?.draining()
        }
        closeIdle()
        reportClosed()
        let isOver = state.pointee.now >= state.pointee.drainDeadline ?? 0
        // The load counts what other threads have given us and we have not taken yet.
        if isOver || load.count == 0 { state.pointee.isStopped = true }
    }

    func closeListeners() {
        for listener in state.pointee.listeners { listener.close() }
        state.pointee.listeners = []
        // Nothing is ever written to it.
        if state.pointee.reserve >= 0 { Glibc.close(state.pointee.reserve) }
        state.pointee.reserve = -1
    }

    /// Connections without a request. One may lie unread in the socket: it is still answered.
    private func closeIdle() {
        for slot in 0..<state.pointee.table.slotCount {
            let connection = state.pointee.table[slot]
            guard connection.pointee.phase == .idle, !connection.pointee.isKept,
                connection.pointee.input.count == 0
            else { continue }
            let userData = connection.pointee.userData
            read(connection)
            if connection.pointee.userData == userData, connection.pointee.phase == .idle, !connection.pointee.isKept {
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

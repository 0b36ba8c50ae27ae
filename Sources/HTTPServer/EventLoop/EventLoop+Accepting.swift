import Bytes
internal import CLinux
internal import Glibc

/// The acceptance of connections. Only the first loop has listeners; it gives each connection to the loop with the
/// fewest.
extension EventLoop {
    private static var acceptBatchMax: Int { 128 }
    /// The events of a connection. `EPOLLOUT` comes only after the socket was full, because epoll is edge-triggered.
    private static var events: UInt32 {
        EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
    }

    /// Adds a listener, whose connections are distributed among all loops. Call it before the loop runs.
    func add(_ listener: ListeningSocket) {
        let data = Self.listenerData + UInt64(state.pointee.listeners.count)
        state.pointee.listeners.append(listener)
        precondition(clinux_epoll_add(epoll, listener.descriptor, EPOLLIN.rawValue, data) == 0, "epoll_ctl failed")
    }

    func accept(_ index: Int) {
        guard index < state.pointee.listeners.count else { return }
        let listener = state.pointee.listeners[index]
        for _ in 0..<Self.acceptBatchMax {
            var peer = clinux_address()
            let descriptor = clinux_accept(listener.descriptor, &peer)
            if descriptor >= 0 {
                let address = IPAddress(high: peer.high, low: peer.low)
                place(AcceptedConnection(descriptor: descriptor, transport: listener.isUnix ? .unix : .tcp(address)))
                continue
            }
            switch -descriptor {
            case EAGAIN: return
            case EINTR, ECONNABORTED, EPROTO: continue
            case EMFILE, ENFILE: if !refuseWithoutDescriptor(listener) { return pauseAccepting() }
            default: return pauseAccepting()
            }
        }
    }

    private func place(_ newcomer: AcceptedConnection) {
        let loops = state.pointee.siblings
        if serverLoad.count >= limits.connectionsMax {
            addConnections(1)
            return adoptBeyondLimit(newcomer, loops.filter { $0.takeUnretainedValue() !== self }[...])
        }
        var chosen = self
        for loop in loops.map({ $0.takeUnretainedValue() }) where loop.connectionCount < chosen.connectionCount {
            chosen = loop
        }
        chosen.addConnections(1)
        if chosen === self { return adopt(newcomer) }
        let target = chosen
        target.execute { target.adopt(newcomer) }
    }

    /// Takes over an accepted connection, which the loop's connection count already includes.
    func adopt(_ newcomer: AcceptedConnection, isReserved: Bool = false) {
        guard let connection = state.pointee.table.take() else {
            addConnections(-1)
            return refuseUnseen(newcomer.descriptor)
        }
        connection.pointee.descriptor = newcomer.descriptor
        connection.pointee.transport = newcomer.transport
        connection.pointee.phase = .idle
        connection.pointee.isReserved = isReserved
        if clinux_epoll_add(epoll, newcomer.descriptor, Self.events, connection.pointee.userData) != 0 {
            return close(connection)
        }
        setDeadline(connection, limits.idleSecondsMax)
    }

    /// Accepts and closes one connection when no descriptor is left, using the reserved descriptor. Otherwise the
    /// client would wait for ever, and the ready listener would make the loop spin.
    private func refuseWithoutDescriptor(_ listener: ListeningSocket) -> Bool {
        guard state.pointee.reserve >= 0 else { return false }
        // Nothing is ever written to it.
        Glibc.close(state.pointee.reserve)
        var peer = clinux_address()
        let descriptor = clinux_accept(listener.descriptor, &peer)
        if descriptor >= 0 { refuseUnseen(descriptor) }
        state.pointee.reserve = clinux_open_readonly("/dev/null")
        return state.pointee.reserve >= 0 && descriptor >= 0
    }

    /// Stops watching the listeners until the next second.
    private func pauseAccepting() {
        if state.pointee.isAcceptingPaused { return }
        state.pointee.isAcceptingPaused = true
        // It fails only for a descriptor that epoll does not watch.
        for listener in state.pointee.listeners { _ = clinux_epoll_remove(epoll, listener.descriptor) }
    }

    func resumeAccepting() {
        guard state.pointee.isAcceptingPaused else { return }
        state.pointee.isAcceptingPaused = false
        if state.pointee.reserve < 0 { state.pointee.reserve = clinux_open_readonly("/dev/null") }
        for (index, listener) in state.pointee.listeners.enumerated() {
            let data = Self.listenerData + UInt64(index)
            let isWatched = clinux_epoll_add(epoll, listener.descriptor, EPOLLIN.rawValue, data) == 0
            // A listener that the system has no memory for is tried again in a second.
            if !isWatched, errno != EEXIST { state.pointee.isAcceptingPaused = true }
        }
    }

    /// Sends one response on a socket without a connection object, and closes the socket. The bytes received so far may
    /// show what the client accepts.
    func refuseUnseen(_ descriptor: Int32) {
        let mark = output.pointee.count
        // This does not use the buffer for requests: one of them may be in service.
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { room in
            let count = recv(descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
            append(RequestRefusal(.tooManyConnections), of: UnsafeRawBufferPointer(rebasing: room[..<max(0, count)]))
        }
        if let base = output.pointee.base {
            let count = output.pointee.count - mark
            // The connection is closed whether or not the response was sent.
            _ = Glibc.send(descriptor, base + mark, count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        trimOutput(mark)
        // The connection received all that it gets.
        Glibc.close(descriptor)
    }
}

internal import Glibc

/// Load shedding when the maximum number of connections is reached.
extension EventLoop {
    /// Takes over a connection beyond the maximum by closing a quiet connection, on this loop or on the loops still to
    /// be asked. If none is quiet, the connection gets a reserved place, or is refused if none is left. The loop's
    /// connection count already includes it.
    func adoptBeyondLimit(_ newcomer: AcceptedConnection, _ others: ArraySlice<Unmanaged<EventLoop>>) {
        let end = limits.connectionsMax + limits.reservedConnectionsMax * (newcomer.isUnix ? 2 : 1)
        makeRoom(end)
        let count = serverLoad.count
        if count <= limits.connectionsMax { return adopt(newcomer) }
        if let next = others.first?.takeUnretainedValue() {
            addConnections(-1)
            next.addConnections(1)
            return next.execute { next.adoptBeyondLimit(newcomer, others.dropFirst()) }
        }
        if count <= end { return adopt(newcomer, isReserved: !newcomer.isUnix) }
        addConnections(-1)
        refuseUnseen(newcomer.descriptor)
    }

    /// Closes quiet connections, the quietest first, until the server has no more than the maximum. Quiet connections
    /// have had no request for a while, or an incomplete one. When the reserved places are full, too, a connection is
    /// closed even if it has been quiet only briefly.
    private func makeRoom(_ end: Int) {
        collectQuiet()
        let young = state.pointee.now - Int64(limits.crowdedSecondsMax) * 1000
        while serverLoad.count > limits.connectionsMax, let quietest = state.pointee.quiet.last {
            if quietest.since > young, serverLoad.count <= end { return }
            state.pointee.quiet.removeLast()
            guard let connection = connection(quietest.userData), quietSince(connection) == quietest.since,
                !hasArrived(connection)
            else { continue }
            shed(connection)
        }
    }

    /// Collects the quiet connections. The more connections there are, the less often it runs: a crowd of new clients
    /// must not take time from the served ones.
    private func collectQuiet() {
        guard state.pointee.now >= state.pointee.nextCollection else { return }
        state.pointee.nextCollection = state.pointee.now + Int64(state.pointee.table.slotCount / 512)
        state.pointee.quiet.removeAll(keepingCapacity: true)
        for slot in (0..<state.pointee.table.slotCount).reversed() {
            let connection = state.pointee.table[slot]
            guard let since = quietSince(connection) else { continue }
            state.pointee.quiet.append((since, connection.pointee.userData))
        }
        state.pointee.quiet.sort { $0.since > $1.since }
    }

    /// Returns the monotonic milliseconds since which a connection has been quiet, or `nil` if it is in use. Received
    /// bytes of a body count as activity at the minimum rate.
    private func quietSince(_ connection: ConnectionPointer) -> Int64? {
        guard !connection.pointee.hasUnsentOutput, !connection.pointee.hasBacklog, !connection.pointee.transport.isUnix
        else {
            return nil
        }
        let since =
            switch connection.pointee.phase {
            case .idle: connection.pointee.deadline - Int64(limits.idleSecondsMax) * 1000
            case .lingering: connection.pointee.deadline - Int64(limits.lingerSecondsMax) * 1000
            case .head: connection.pointee.since
            case .body: connection.pointee.since + bodyMillisecondsEarned(connection)
            default: Int64.max
            }
        return since <= state.pointee.now ? since : nil
    }

    /// Returns whether unread bytes have arrived. Such a connection is not quiet.
    private func hasArrived(_ connection: ConnectionPointer) -> Bool {
        var byte: UInt8 = 0
        return connection.pointee.isReading
            && recv(connection.pointee.descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
                > 0
    }

    /// Closes a connection at once because its place is needed. Nothing waits unread, so a response sent before the
    /// close arrives.
    private func shed(_ connection: ConnectionPointer) {
        let hasRequest = connection.pointee.phase == .head || connection.pointee.phase == .body
        if !hasRequest || sendRefusal(connection, .tooManyConnections) { close(connection) }
    }

    /// Returns why a request on a reserved connection is not served. Returns `nil` if it asks for the reserved path, or
    /// if there are fewer connections by now.
    func refusal(ofReserved connection: ConnectionPointer, _ request: borrowing Request) -> RequestRefusal? {
        if serverLoad.count <= limits.connectionsMax {
            connection.pointee.isReserved = false
            return nil
        }
        if let path = limits.reservedPath, request.path.bytes.equals(path) { return nil }
        return RequestRefusal(.tooManyConnections)
    }
}

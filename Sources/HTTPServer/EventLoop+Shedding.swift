internal import Glibc

/// What gives way when all connections are taken.
extension EventLoop {
    /// Takes a connection over although all are taken: somebody gives way to it, on this loop or on those still to be asked.
    /// When nobody does it has a place of the reserve, and when there is none it is refused. The load has been counted.
    func squeeze(_ newcomer: Newcomer, _ others: ArraySlice<Sibling>) {
        let end = limits.connectionsMax + limits.reservedConnectionsMax * (newcomer.isUnix ? 2 : 1)
        makeRoom(end)
        let count = load.server.count
        if count <= limits.connectionsMax { return adopt(newcomer) }
        if let next = others.first?.value {
            load.add(-1)
            next.load.add(1)
            return next.execute { next.squeeze(newcomer, others.dropFirst()) }
        }
        if count <= end { return adopt(newcomer, isReserved: !newcomer.isUnix) }
        load.add(-1)
        refuseUnseen(newcomer.descriptor)
    }

    /// Closes connections that nobody needs now, the quietest first: without a request for a while, or with one that does not
    /// come to its end. None more than there are too many. Beyond the end of the reserve nobody is too young for it: who is
    /// in the reserve has to say at once what for.
    private func makeRoom(_ end: Int) {
        lookForQuiet()
        let young = state.pointee.now - Int64(limits.crowdedSecondsMax) * 1000
        while load.server.count > limits.connectionsMax, let quietest = state.pointee.quiet.last {
            if quietest.since > young, load.server.count <= end { return }
            state.pointee.quiet.removeLast()
            guard let connection = connection(quietest.userData), quietSince(connection) == quietest.since,
                !hasArrived(connection)
            else { continue }
            giveWay(connection)
        }
    }

    /// Looks at all connections: the more there are the less often, so that a crowd at the door does not cost the served ones
    /// their time.
    private func lookForQuiet() {
        guard state.pointee.now >= state.pointee.nextLook else { return }
        state.pointee.nextLook = state.pointee.now + Int64(state.pointee.table.slotCount / 512)
        state.pointee.quiet.removeAll(keepingCapacity: true)
        for slot in (0..<state.pointee.table.slotCount).reversed() {
            let connection = state.pointee.table[slot]
            guard let since = quietSince(connection) else { continue }
            state.pointee.quiet.append((since, connection.pointee.userData))
        }
        state.pointee.quiet.sort { $0.since > $1.since }
    }

    /// Since when a connection has done nothing that it is needed for, in monotonic milliseconds; nil while it does. A body
    /// that comes is as young as its bytes allow.
    private func quietSince(_ connection: ConnectionPointer) -> Int64? {
        guard !connection.pointee.isKept, !connection.pointee.hasBacklog, !connection.pointee.transport.isUnix else {
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

    /// Whether bytes came that have not been looked at yet: then it is not quiet.
    private func hasArrived(_ connection: ConnectionPointer) -> Bool {
        var byte: UInt8 = 0
        return connection.pointee.isReading
            && recv(connection.pointee.descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
                > 0
    }

    /// At once, since its place is needed: nothing waits unread, so that what is sent before arrives.
    private func giveWay(_ connection: ConnectionPointer) {
        if connection.pointee.phase == .head || connection.pointee.phase == .body {
            let mark = output.pointee.count
            let input = UnsafeRawBufferPointer(
                start: connection.pointee.input.base, count: connection.pointee.input.count)
            write(.tooManyConnections, of: input, connection)
            guard send(from: mark, connection) else { return }
        }
        close(connection)
    }

    /// Why a request by a connection of the reserve is not served; nil when it is, since it asks for what there is a reserve for, or
    /// since others have gone meanwhile.
    func refusal(ofReserved connection: ConnectionPointer, _ request: borrowing Request) -> Refusal? {
        if load.server.count <= limits.connectionsMax {
            connection.pointee.isReserved = false
            return nil
        }
        guard let path = limits.reservedPath else { return .tooManyConnections }
        let isReserved = request.path.withUnsafeBytes {
            $0.elementsEqual(UnsafeRawBufferPointer(start: path.utf8Start, count: path.utf8CodeUnitCount))
        }
        return isReserved ? nil : .tooManyConnections
    }
}

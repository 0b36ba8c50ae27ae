/// What gives way when all connections are taken.
extension EventLoop {
    /// Closes connections that nobody needs now, the quietest first: without a request for a while, or with one that does not
    /// come to its end. A part of them only, and only ten times a second: those who come meanwhile can wait so long.
    func shed() {
        guard state.pointee.now >= state.pointee.nextShedding else { return }
        state.pointee.nextShedding = state.pointee.now + 100
        var quiet: [(since: Int64, userData: UInt64)] = []
        for slot in 0..<state.pointee.table.slotCount {
            let connection = state.pointee.table[slot]
            if let since = quietSince(connection) { quiet.append((since, connection.pointee.userData)) }
        }
        quiet.sort { $0.since < $1.since }
        for (_, userData) in quiet.prefix(max(16, quiet.count / 4)) {
            guard let connection = connection(userData) else { continue }
            if connection.pointee.phase == .idle { close(connection) } else { refuse(connection, .tooManyConnections) }
        }
    }

    /// Since when a connection has done nothing that it is needed for, in monotonic milliseconds; nil while it may.
    private func quietSince(_ connection: ConnectionPointer) -> Int64? {
        guard !connection.pointee.isKept, !connection.pointee.hasBacklog, connection.pointee.peer < 0 else {
            return nil
        }
        let idle = Int64(limits.idleSecondsMax) * 1000
        let (since, seconds) =
            switch connection.pointee.phase {
            case .idle: (connection.pointee.deadline - idle, limits.crowdedSecondsMax)
            case .head: (connection.pointee.since, limits.crowdedSecondsMax)
            case .body: (connection.pointee.since, limits.bodyGraceSeconds)
            default: (Int64.max, 0)
            }
        return since < state.pointee.now - Int64(seconds) * 1000 ? since : nil
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

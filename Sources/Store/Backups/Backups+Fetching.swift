import CSQLite
import Synchronization

/// Copies that are fetched while they are made, so that they need no room on a disk.
extension Backups {
    /// A copy on its way to a client.
    struct Fetched {
        let order: CopyOrder
        let stream: PageStream
        /// When it was asked for last, in monotonic seconds.
        var lookedAt: Int
        /// Why it failed.
        var reason: String?
    }

    /// Begins one; `nil` where there are enough. Any thread.
    func askToFetch() -> Backup? {
        expire()
        let stream = PageStream()
        let begun = state.withLock { state -> (backup: Backup, order: CopyOrder)? in
            guard state.fetched.count < BackupSettings.fetchedMax else { return nil }
            var backup = Self.new(.fetched, in: &state)
            backup.state = .copying
            let order = CopyOrder(.stream(stream)) { [weak self, id = backup.id] error in self?.end(id, error) }
            state.backups.append(backup)
            state.fetched[backup.id] = Fetched(order: order, stream: stream, lookedAt: MonotonicTime.seconds)
            return (backup, order)
        }
        guard let begun else { return nil }
        // That thread also ends those that nobody fetches.
        if hasThread() { bell.ring() }
        orders.give(begun.order)
        wake()
        return begun.backup
    }

    /// A backup as it is now.
    func current(_ backup: Backup, _ state: State) -> Backup {
        guard let fetched = state.fetched[backup.id] else { return backup }
        var backup = backup
        (backup.bytes, backup.seq, backup.reason) = (fetched.stream.byteCount, fetched.stream.seq, fetched.reason)
        backup.state = fetched.reason != nil ? .failed : backup.seq == nil ? .copying : .done
        return backup
    }

    /// The writer's word on what became of one.
    private func end(_ id: String, _ error: SQLiteError?) {
        guard let error else { return }
        let isWanted = state.withLock { state in
            guard let fetched = state.fetched[id], !fetched.order.isCancelled else { return false }
            fetched.stream.fail()
            let isSlow = error.code & 0xFF == SQLITE_FULL
            state.fetched[id]?.reason =
                isSlow
                ? "the client fetches more slowly than the database changes"
                : "the copy failed: \(error.message) (SQLite error \(error.code))"
            return true
        }
        if isWanted { say(.fault("backup \(id), which is fetched, FAILED: \(error.message)")) }
    }

    /// The state of a piece of a backup.
    package enum Piece {
        case bytes([UInt8])
        /// It is not copied yet.
        case notYet
        /// The backup ends before it.
        case end
    }

    /// A piece of a backup by its number, which counts from 0; `nil` when there is no such backup, or the piece is gone.
    package func piece(_ number: Int, of id: String) -> Piece? {
        let stream = state.withLock { state in
            state.fetched[id]?.lookedAt = MonotonicTime.seconds
            return state.fetched[id]?.stream
        }
        guard let stream else {
            let offset = Int64(number) * Int64(Backup.pieceBytesMax)
            return read(id, from: offset, bytesMax: Backup.pieceBytesMax).map { $0.isEmpty ? .end : .bytes($0) }
        }
        let piece = stream.piece(number)
        // The writer goes on as soon as there is room.
        if case .bytes = piece { wake() }
        switch piece {
        case .bytes(let bytes): return .bytes(bytes)
        case .notYet: return .notYet
        case .end: return .end
        case .gone: return nil
        }
    }

    /// Ends one that is fetched, whole or not. False when there is none such.
    package func discard(_ id: String) -> Bool {
        let fetched = state.withLock { state in
            if state.fetched[id] != nil { state.backups.removeAll { $0.id == id } }
            return state.fetched.removeValue(forKey: id)
        }
        fetched?.order.cancel()
        wake()
        return fetched != nil
    }

    /// Ends those that nobody has fetched from for a while.
    func expire(all: Bool = false) {
        let before = MonotonicTime.seconds - BackupSettings.fetchSecondsMax
        let old = state.withLock { state in state.fetched.filter { all || $0.value.lookedAt < before }.map(\.key) }
        // Whether one was still there does not matter.
        for id in old { _ = discard(id) }
    }
}

import CSQLite
import Synchronization

/// The copies that clients fetch while they are made, so that they need no disk space.
extension Backups {
    /// A copy that a client is fetching.
    struct Fetched {
        let order: DatabaseCopyRequest
        let stream: PageRecordStream
        /// The time of the last request for it, in monotonic seconds.
        var lookedAt: Int
        /// The reason for the failure.
        var reason: String?
    }

    /// Starts a copy, or returns `nil` if the maximum number is in progress. Can be called on any thread.
    func askToFetch() -> Backup? {
        expire()
        let stream = PageRecordStream()
        let begun = state.withLock { state -> (backup: Backup, order: DatabaseCopyRequest)? in
            guard state.fetched.count < BackupSettings.fetchedMax else { return nil }
            var backup = Self.new(.fetched, in: &state)
            backup.state = .copying
            let order = DatabaseCopyRequest(.stream(stream)) { [weak self, id = backup.id] error in self?.end(id, error)
            }
            state.backups.append(backup)
            state.fetched[backup.id] = Fetched(order: order, stream: stream, lookedAt: MonotonicTime.seconds)
            return (backup, order)
        }
        guard let begun else { return nil }
        // The backup thread also cancels copies that no client fetches.
        if hasThread() { wakeEvent.set() }
        orders.give(begun.order)
        wake()
        return begun.backup
    }

    /// Returns the current state of a backup.
    func current(_ backup: Backup, _ state: Registry) -> Backup {
        guard let fetched = state.fetched[backup.id] else { return backup }
        var backup = backup
        (backup.bytes, backup.seq, backup.reason) = (fetched.stream.byteCount, fetched.stream.seq, fetched.reason)
        backup.state = fetched.reason != nil ? .failed : backup.seq == nil ? .copying : .done
        return backup
    }

    /// Handles the end of a copy, as reported by the writer.
    private func end(_ id: String, _ error: SQLiteError?) {
        guard let error else { return }
        let isWanted = state.withLock { state in
            guard let fetched = state.fetched[id], !fetched.order.isCancelled else { return false }
            fetched.stream.fail()
            let isSlow = error.code & 0xFF == SQLITE_FULL
            state.fetched[id]?.reason =
                isSlow
                ? "the client downloads more slowly than the database changes"
                : "the copy failed: \(error.message) (SQLite error \(error.code))"
            return true
        }
        if isWanted { say(.fault("backup \(id), a download, FAILED: \(error.message)")) }
    }

    /// Returns a piece of a backup by its number, counted from 0, or `nil` if the backup or the piece no longer exists.
    package func piece(_ number: Int, of id: String) -> FetchedBackupPiece? {
        let stream = state.withLock { state in
            state.fetched[id]?.lookedAt = MonotonicTime.seconds
            return state.fetched[id]?.stream
        }
        guard let stream else {
            let offset = Int64(number) * Int64(Backup.pieceBytesMax)
            return read(id, from: offset, bytesMax: Backup.pieceBytesMax).map { $0.isEmpty ? .end : .bytes($0) }
        }
        let piece = stream.piece(number)
        // The writer continues as soon as there is space.
        if case .bytes = piece { wake() }
        switch piece {
        case .bytes(let bytes): return .bytes(bytes)
        case .notYet: return .notYet
        case .end: return .end
        case .gone: return nil
        }
    }

    /// Cancels and removes a copy that is fetched, finished or not. Returns `false` if there is none.
    package func discard(_ id: String) -> Bool {
        let fetched = state.withLock { state in
            if state.fetched[id] != nil { state.backups.removeAll { $0.id == id } }
            return state.fetched.removeValue(forKey: id)
        }
        fetched?.order.cancel()
        wake()
        return fetched != nil
    }

    /// Cancels the copies that no client has fetched from for a while.
    func expire(all: Bool = false) {
        let before = MonotonicTime.seconds - BackupSettings.fetchSecondsMax
        let old = state.withLock { state in state.fetched.filter { all || $0.value.lookedAt < before }.map(\.key) }
        // The copy may have been removed meanwhile.
        for id in old { _ = discard(id) }
    }
}

/// The state of a piece of a backup.
package enum FetchedBackupPiece {
    case bytes([UInt8])
    /// The piece is not copied yet.
    case notYet
    /// The backup ends before the piece.
    case end
}

import Glibc
import Measures
import Synchronization

/// The making of one backup, on the backup thread.
extension Backups {
    /// Makes a backup, and removes the old ones that it replaces.
    func make(_ wanted: Backup) {
        var backup = wanted
        let began = ContinuousClock.now
        do throws(StoreError) { try write(&backup) } catch {
            (backup.state, backup.reason) = (.failed, "\(error)")
            recordEnd(of: backup)
            return report(.fault("backup \(backup.id) FAILED: \(error)"))
        }
        backup.state = .done
        let gone = Set(folder.prune(.kept, keeping: settings.keepMax).map(\.id))
        if let oldest = folder.backups().first(where: { $0.kind == .kept }) { rowLog.prune(before: oldest.id) }
        state.withLock { $0.backups.removeAll { gone.contains($0.id) && $0.kind == .kept } }
        recordEnd(of: backup)
        let seconds = ((ContinuousClock.now - began) / .milliseconds(100)).rounded() / 10
        report(
            .info(
                "backup \(backup.id): \(backup.bytes ?? 0) bytes, up to change \(backup.seq ?? 0), verified, after \(seconds) s"
                    + (gone.isEmpty ? "" : "; \(gone.count) older ones were deleted")))
    }

    private func write(_ backup: inout Backup) throws(StoreError) {
        backup.state = .copying
        state.withLock { $0.update(backup) }
        try folder.make()
        let isShared = FreeDiskSpace.isShared(folder.path, directory.path)
        let file = try DatabaseCopyFile(creating: folder.path(of: backup.part))
        let pace = BackgroundWorkThrottle()
        let source = try directory.opened(isServed: true).connection
        if settings.logsRows { try begin(source, at: backup) }
        var rowsWrittenAt = MonotonicClock.seconds()
        let logId = settings.logsRows && rowLog.isOpen ? backup.id : nil
        let content = try file.fill(from: source, of: directory.bytes, spare: isShared ? spare : 0, rowLog: logId) {
            pace.rest()
            if MonotonicClock.seconds() != rowsWrittenAt {
                rowsWrittenAt = MonotonicClock.seconds()
                self.writeRows()
            }
            return self.isWanted
        } onCopied: {
            backup.state = .verifying
            state.withLock { $0.update(backup) }
        }
        (backup.seq, backup.bytes) = (content.seq, content.bytes)
        try file.finish(as: folder.path(of: backup.file), replacing: true)
    }

    /// Begins the row log of a backup, and the read transaction of its source at the same moment.
    private func begin(_ source: SQLiteConnection, at backup: Backup) throws(StoreError) {
        let result = Mutex<Result<Void, SQLiteError>>(.success(()))
        // SAFETY: this thread waits meanwhile.
        nonisolated(unsafe) let source = source
        rowLog.begin(backup.id) {
            let began = Result { () throws(SQLiteError) in try DatabaseCopyFile.begin(source) }
            result.withLock { $0 = began }
        }
        writeRows()
        try StoreError.at(directory) { () throws(SQLiteError) in try result.withLock { $0 }.get() }
    }
}

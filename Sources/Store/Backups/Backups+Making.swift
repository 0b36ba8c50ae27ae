import CLinux
import Glibc
import Synchronization

/// How one comes to be: on the thread of the backups, but for its pages.
extension Backups {
    /// Makes one, and hands it to the operator's command where there is one.
    func make(_ wanted: Backup) {
        var backup = wanted
        let began = ContinuousClock.now
        do throws(StoreError) {
            try write(&backup)
        } catch {
            // The remains are removed at the next start.
            unlink(folder.path(of: wanted.part))
            return fail(backup, "\(error)")
        }
        guard backup.kind == .kept, settings.command != nil else { return finish(backup, began: began) }
        handOver(backup, began: began)
    }

    /// Notes that a backup is done, and removes those that it replaces.
    func finish(_ whole: Backup, began: ContinuousClock.Instant) {
        var backup = whole
        backup.state = .done
        let gone = backup.kind == .kept ? Set(folder.prune(.kept, keeping: settings.keepMax).map(\.id)) : []
        state.withLock { $0.backups.removeAll { gone.contains($0.id) && $0.kind == .kept && $0.state == .done } }
        note(backup, isGood: true)
        set(backup)
        let seconds = ((ContinuousClock.now - began) / .milliseconds(100)).rounded() / 10
        say(
            .info(
                "backup \(backup.id): \(backup.bytes ?? 0) bytes, up to change \(backup.seq ?? 0), verified, after \(seconds) s"
                    + (gone.isEmpty ? "" : "; \(gone.count) older ones were taken away")))
    }

    private func write(_ backup: inout Backup) throws(StoreError) {
        backup.state = .copying
        set(backup)
        try folder.make()
        let isShared = DiskRoom.isShared(folder.path, directory.path)
        let file = try CopyFile.make(
            folder.path(of: backup.part), bytes: directory.bytes, spare: isShared ? spare : 0)
        try copy(to: file)
        backup.state = .verifying
        set(backup)
        try file.seal()
        let pace = Pace()
        let (seq, _) = try file.verify {
            pace.rest()
            return self.isWanted
        }
        backup.seq = seq
        backup.bytes = try file.addDigest {
            pace.rest()
            return self.isWanted
        }
        try file.rename(to: folder.path(of: backup.file))
    }

    /// A copy that is whole stays, also where the command did not take it: it is counted as the others are.
    func fail(_ backup: Backup, _ why: String) {
        var backup = backup
        (backup.state, backup.reason) = (.failed, why)
        set(backup)
        note(backup, isGood: false)
        folder.prune(.kept, keeping: max(settings.keepMax, 1))
        let there = Set(folder.backups().map(\.id))
        state.withLock { state in
            let failed = state.backups.filter { $0.state == .failed }.suffix(BackupSettings.failuresMax).map(\.id)
            state.backups.removeAll {
                $0.state == .failed && !failed.contains($0.id)
                    || $0.state == .done && $0.kind == .kept && !there.contains($0.id)
            }
        }
        say(.fault("backup \(backup.id) FAILED: \(why)"))
    }

    func set(_ backup: Backup) {
        state.withLock { state in
            guard let index = state.backups.firstIndex(where: { $0.id == backup.id }) else { return }
            state.backups[index] = backup
        }
    }

    /// A piece of a whole one, from so many bytes on; empty behind its end, nil when there is none.
    func read(_ id: String, from offset: Int64, bytesMax: Int) -> [UInt8]? {
        guard let backup = find(id), backup.state == .done else { return nil }
        let descriptor = clinux_open_plain(folder.path(of: backup.file))
        guard descriptor >= 0 else { return nil }
        // The descriptor was only read from, so closing it loses nothing.
        defer { close(descriptor) }
        let count = min(Int64(bytesMax), max(0, (backup.bytes ?? 0) - offset))
        var isRead = true
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { room, filled in
            while filled < Int(count) {
                let got = pread(
                    descriptor, room.baseAddress! + filled, Int(count) - filled, off_t(offset) + off_t(filled))
                if got < 0, errno == EINTR { continue }
                if got <= 0 { break }
                filled += got
            }
            isRead = filled == Int(count)
        }
        return isRead ? bytes : nil
    }
}

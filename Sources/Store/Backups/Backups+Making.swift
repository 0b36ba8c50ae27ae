import CLinux
import Glibc
import Synchronization

/// How one comes to be: on the thread of the backups, but for its pages.
extension Backups {
    /// Makes one, and says what became of it.
    func make(_ wanted: Backup) {
        var backup = wanted
        let began = ContinuousClock.now
        do throws(StoreError) {
            try write(&backup)
            try send(backup)
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
        } catch {
            unlink(folder.path(of: wanted.part))
            fail(backup, "\(error)")
        }
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
        let (seq, bytes) = try file.verify {
            pace.rest()
            return self.isWanted
        }
        (backup.seq, backup.bytes) = (seq, bytes)
        try file.rename(to: folder.path(of: backup.file))
    }

    private func send(_ backup: Backup) throws(StoreError) {
        guard backup.kind == .kept, let text = settings.command else { return }
        var sent = backup
        sent.state = .sending
        set(sent)
        let path = folder.path(of: backup.file)
        let end = BackupCommand(text: text).run(path, name: backup.file) { isWanted }
        let said = end.said.isEmpty ? "" : ", and said: \(end.said)"
        if let why = end.failure { throw .file(path: path, reason: why + said) }
        if !end.said.isEmpty { say(.info("backup \(backup.id): the command took it\(said)")) }
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

    private func set(_ backup: Backup) {
        state.withLock { state in
            guard let index = state.backups.firstIndex(where: { $0.id == backup.id }) else { return }
            state.backups[index] = backup
        }
    }

    /// Takes away what was made to be fetched, and nobody looks at any more.
    func expire(all: Bool = false) {
        let before = MonotonicTime.seconds - BackupSettings.fetchSecondsMax
        let old = state.withLock { state in
            let old = state.backups.filter {
                $0.kind == .fetched && $0.isOver && (all || state.lookedAt[$0.id] ?? 0 < before)
            }
            for backup in old { state.lookedAt[backup.id] = nil }
            state.backups.removeAll { backup in old.contains { $0.id == backup.id } }
            return old
        }
        for backup in old where backup.state == .done { folder.remove(backup) }
    }

    /// A piece of a whole one, from so many bytes on; empty behind its end, nil when there is none.
    package func read(_ id: String, from offset: Int64, bytesMax: Int) -> [UInt8]? {
        guard let backup = find(id), backup.state == .done else { return nil }
        let descriptor = clinux_open_plain(folder.path(of: backup.file))
        guard descriptor >= 0 else { return nil }
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

    /// Takes one away that was made to be fetched. False when there is none such.
    package func discard(_ id: String) -> Bool {
        let found = state.withLock { state -> Backup? in
            guard let index = state.backups.firstIndex(where: { $0.id == id && $0.kind == .fetched && $0.isOver })
            else {
                return nil
            }
            state.lookedAt[id] = nil
            return state.backups.remove(at: index)
        }
        if let found, found.state == .done { folder.remove(found) }
        return found != nil
    }
}

import Scheduling
import Synchronization

/// The runs of the operator's command. They have a thread of their own, so that a command that hangs does not delay
/// other copies.
extension Backups {
    /// A finished copy that waits for the command, with the time when it was begun.
    struct UnsentBackup {
        let backup: Backup
        let began: ContinuousClock.Instant
    }

    /// Passes a finished copy to the command's thread.
    func handOver(_ backup: Backup, began: ContinuousClock.Instant) {
        var backup = backup
        backup.state = .sending
        set(backup)
        state.withLock { $0.unsent = UnsentBackup(backup: backup, began: began) }
        guard ensureSender() else {
            state.withLock { $0.unsent = nil }
            return fail(backup, Self.noThread)
        }
        sendingBell.set()
    }

    /// Starts the thread that runs the operator's command, unless it runs. Returns `false` if it cannot be started.
    private func ensureSender() -> Bool {
        sender.withLock { running in
            if running == nil { running = DedicatedThread("backup command", isBehindOthers: true) { self.sendAll() } }
            return running != nil
        }
    }

    private func sendAll() {
        while isWanted {
            guard let next = state.withLock({ $0.unsent.take() }) else {
                sendingBell.wait(seconds: 60)
                continue
            }
            // The next copy can be made while this one is sent.
            wakeEvent.set()
            send(next)
        }
        if let rest = state.withLock({ $0.unsent.take() }) {
            fail(rest.backup, "the server stopped before the command ran")
        }
    }

    private func send(_ unsent: UnsentBackup) {
        let (backup, path) = (unsent.backup, folder.path(of: unsent.backup.file))
        guard let text = settings.command else { return finish(backup, began: unsent.began) }
        let command = ExternalBackupCommand(text: text, millisecondsMax: settings.commandMillisecondsMax)
        let end = command.run(path, name: backup.fileToSend) { isWanted }
        if end.isLate { lateCommandCount.wrappingAdd(1, ordering: .relaxed) }
        let output = end.output.isEmpty ? "" : ", output: \(end.output)"
        if let failure = end.failure { return fail(backup, "\(StoreError.file(path: path, reason: failure + output))") }
        if !end.output.isEmpty { say(.info("backup \(backup.id): the command succeeded\(output)")) }
        finish(backup, began: unsent.began)
    }
}

import Model
import Synchronization

/// The events that the clock causes.
extension Writer {
    /// Writes due events, at most once a second. Returns `true` if more are due than fit into one command; other
    /// commands then run first.
    func writeDueEvents() -> Bool {
        let now = Instant.now
        guard now.milliseconds / 1000 != lookedAt else { return false }
        lookedAt = now.milliseconds / 1000
        recordDay()
        // If the database cannot be read or written now, the next check is in a second.
        guard areDue(now) else { return false }
        let head = transaction.nextSeq
        write(Command.dueEvents, at: now)
        guard transaction.nextSeq > head, areDue(now) else { return false }
        lookedAt = 0
        return true
    }

    /// Writes the server's own commands in one transaction. Returns `false` if one of them failed.
    @discardableResult
    func write(_ commands: [Command], at now: Instant = .now) -> Bool {
        let isRefused = Mutex(false)
        var left = commands.map { command in
            SubmittedCommand(command: command, actor: .server(at: now)) { result in
                if case .failure = result { isRefused.withLock { $0 = true } }
            }
        }[...]
        write { left.popFirst() }
        return isRefused.withLock { !$0 }
    }

    /// Returns a Boolean value indicating whether one of the commands would change something. Each looks for a few rows
    /// in a small index.
    private func areDue(_ now: Instant) -> Bool {
        Command.dueEvents.contains { command in
            // As above.
            (try? command.decide(state, .server(at: now)))?.changes.isEmpty == false
        }
    }

    func recordDay() {
        transaction.today = maintenance.time.day
        counters.set(.day, Int(transaction.today))
    }
}

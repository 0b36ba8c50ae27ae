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
        guard areEventsDue(now) else { return false }
        let head = transaction.nextSeq
        write([.writeDueEvents, .forgetScenes(unusedSince: lastDayOfUse)], at: now)
        guard transaction.nextSeq > head, areEventsDue(now) else { return false }
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

    private func areEventsDue(_ now: Instant) -> Bool {
        // If the database cannot be read now, the next check is in a second.
        (try? DueClockEvents.isDue(at: now, unusedSince: lastDayOfUse, in: connection)) ?? false
    }

    func recordDay() {
        transaction.today = maintenance.time.day
        counters.set(.day, Int(transaction.today))
    }

    /// The day before which the last use of a scene makes it expire.
    private var lastDayOfUse: Int64 { transaction.today - UnusedSceneDeletion.daysMax }
}

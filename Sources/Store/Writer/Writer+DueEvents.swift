import Model

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
        let commands = [Command.writeDueEvents, .forgetScenes(unusedSince: lastDayOfUse)]
        write(commands.map { SubmittedCommand(command: $0, actor: .server(at: now)) { _ in } })
        guard transaction.nextSeq > head, areEventsDue(now) else { return false }
        lookedAt = 0
        return true
    }

    /// Writes the server's own commands in one transaction.
    func write(_ submissions: [SubmittedCommand]) {
        var left = submissions[...]
        write { left.popFirst() }
    }

    private func areEventsDue(_ now: Instant) -> Bool {
        (try? DueClockEvents.isDue(at: now, unusedSince: lastDayOfUse, in: connection)) ?? false
    }

    func recordDay() {
        transaction.today = maintenance.time.day
        counters.set(.day, Int(transaction.today))
    }

    /// The day before which the last use of a scene makes it expire.
    private var lastDayOfUse: Int64 { transaction.today - UnusedSceneDeletion.daysMax }
}

import Model
import Synchronization

/// What the clock says.
extension Writer {
    /// Once a second looks whether the clock has something to say. True when it has more to say than goes into one command:
    /// then others have a turn, and it goes on.
    func tellTime() -> Bool {
        let now = Instant.now
        guard now.milliseconds / 1000 != lookedAt else { return false }
        lookedAt = now.milliseconds / 1000
        noteDay()
        // What cannot be read or written now is looked at again in a second.
        guard isTimeToTell(now) else { return false }
        let head = application.log.nextSeq
        let commands = [Command.tellTime, .forgetScenes(unusedSince: lastDayOfUse)]
        write(commands.map { Submission(command: $0, asker: .house(at: now)) { _ in } })
        guard application.log.nextSeq > head, isTimeToTell(now) else { return false }
        lookedAt = 0
        return true
    }

    /// One transaction for commands of the server itself.
    func write(_ submissions: [Submission]) {
        var left = submissions[...]
        write { left.popFirst().map { PendingCommand($0) } }
    }

    private func isTimeToTell(_ now: Instant) -> Bool {
        do throws(SQLiteError) {
            if try TellTime.isDue(at: now, in: connection) { return true }
            return try UnusedScenes.areThere(since: lastDayOfUse, in: connection)
        } catch {
            return false
        }
    }

    func noteDay() {
        application.today = housekeeping.time.day
        counters.day.store(application.today, ordering: .relaxed)
    }

    /// Scenes that were used last before this day go.
    private var lastDayOfUse: Int64 { application.today - UnusedScenes.daysMax }
}

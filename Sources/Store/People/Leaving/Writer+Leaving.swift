import Measures
import Model

extension Writer {
    /// Continues work that takes more than one command: the events of departures, and changes to many rows. Returns
    /// `false` if a command failed.
    func continueWork() -> Bool {
        let began = MonotonicClock.microseconds()
        let isBulkChangeDue = maintenance.hasBulkChanges && bulkChangePause.millisecondsLeft(at: began) == 0
        let commands =
            (maintenance.hasDepartureEvents ? [Command.tellDeparture] : [])
            + (isBulkChangeDue ? [.continueBulkChange] : [])
        guard !commands.isEmpty else { return true }
        defer { if isBulkChangeDue { bulkChangePause.record(began: began, ended: MonotonicClock.microseconds()) } }
        return write(commands)
    }

    /// Returns a Boolean value indicating whether the actor has left meanwhile.
    func hasLeft(_ actor: CommandActor) throws(SQLiteError) -> Bool {
        try transaction.departed.holds(actor.reader.key, in: connection)
    }

    static let unknownToken = RequestError.refused(
        .tokenUnknown, "The token is unknown or was revoked. Sign in again, or use another token.")
}

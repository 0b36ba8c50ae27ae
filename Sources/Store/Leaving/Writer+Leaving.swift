import Model
import Synchronization

extension Writer {
    /// Goes on with what takes more than one command: tells others of who has left, and does what is to be done to many notes.
    /// False when it cannot be done now.
    func goOn() -> Bool {
        let commands =
            (housekeeping.isToTellDeparture ? [Command.tellDeparture] : [])
            + (housekeeping.hasNoteChores ? [.doNoteChore] : []) + (housekeeping.hasRelabelings ? [.relabel] : [])
        guard !commands.isEmpty else { return true }
        let isRefused = Mutex(false)
        write(
            commands.map { command in
                Submission(command: command, asker: .house(at: .now)) { result in
                    if case .failure = result { isRefused.withLock { $0 = true } }
                }
            })
        return isRefused.withLock { !$0 }
    }

    /// Whether who asks has left meanwhile.
    func hasLeft(_ asker: Asker) throws(SQLiteError) -> Bool {
        try application.departed.holds(asker.reader.key, in: connection)
    }

    static let unknownToken = LecternError.refused(.tokenUnknown, "The token is not known, or was revoked.")
}

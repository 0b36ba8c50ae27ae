import CSQLite
import Model

extension Writer {
    /// The state for the next decision.
    var state: WriteState {
        WriteState(
            db: connection, recentReadings: transaction.recentReadings,
            isCatalogueOpen: configuration.isCatalogueOpen, today: transaction.today)
    }

    /// Decides a command for the current state and applies its changes, with `isolating` in a savepoint of their own,
    /// because the database may refuse them. They belong to the transaction whose first change is `firstSeq`, or form one.
    func decideAndApply(
        _ command: Command, _ actor: CommandActor, firstSeq: Int64? = nil, isolating: Bool, at now: Instant
    ) throws(SQLiteError) -> BatchResult {
        let decision: CommandDecision
        do {
            decision = try command.decide(state, actor)
        } catch {
            if error == .outOfSpace { throw SQLiteError(code: SQLITE_FULL, message: "the disk is full") }
            return .failure(error)
        }
        guard isolating else { return .success(try transaction.apply(decision, at: now, firstSeq: firstSeq)) }
        let rewindPoint = transaction.rewindPoint
        try connection.beginSavepoint("SAVEPOINT command")
        do throws(SQLiteError) {
            let outcome = try transaction.apply(decision, at: now, firstSeq: firstSeq)
            try connection.run("RELEASE command")
            return .success(outcome)
        } catch {
            guard Self.isRefusal(error), connection.isInTransaction else { throw error }
            try connection.run("ROLLBACK TO command")
            try connection.run("RELEASE command")
            transaction.rewind(to: rewindPoint)
            return .failure(command.isImport ? error.asImportError : error.asRequestError)
        }
    }

    /// Returns a Boolean value indicating whether an error concerns only one command, such as a constraint or a value
    /// that is too long. A full or faulty disk and a damaged file concern all commands.
    static func isRefusal(_ error: SQLiteError) -> Bool {
        switch error.code & 0xFF {
        case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE, SQLITE_ERROR: true
        default: false
        }
    }
}

import CSQLite
import Model

extension Writer {
    /// Returns the decision of a command for the current state.
    func decide(_ command: Command, _ actor: CommandActor) throws(SQLiteError) -> Result<CommandDecision, RequestError>
    {
        do {
            return .success(
                try command.decide(
                    WriteState(
                        db: connection, recentReadings: transaction.recentReadings,
                        isCatalogueOpen: configuration.isCatalogueOpen),
                    actor))
        } catch {
            if error == .outOfSpace { throw SQLiteError(code: SQLITE_FULL, message: "the disk is full") }
            return .failure(error)
        }
    }

    /// Applies changes that the database may refuse, in a savepoint of their own.
    func alone(
        isImport: Bool = false, _ apply: () throws(SQLiteError) -> CommandOutcome
    ) throws(SQLiteError) -> Result<CommandOutcome, RequestError> {
        let mark = transaction.mark
        try connection.run("SAVEPOINT command")
        do throws(SQLiteError) {
            let outcome = try apply()
            try connection.run("RELEASE command")
            return .success(outcome)
        } catch {
            guard Self.isRefusal(error), connection.isInTransaction else { throw error }
            try connection.run("ROLLBACK TO command")
            try connection.run("RELEASE command")
            transaction.rewind(to: mark)
            return .failure(isImport ? error.asImportError : error.asRequestError)
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

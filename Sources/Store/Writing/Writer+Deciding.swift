import CSQLite
import Model

extension Writer {
    /// What a command makes of the state as it is now.
    func decide(_ command: Command, _ asker: Asker) throws(SQLiteError) -> Result<Decision, LecternError> {
        do {
            return .success(
                try command.decide(
                    WriteState(
                        db: connection, recentReadings: application.recentReadings,
                        isCatalogueOpen: configuration.isCatalogueOpen),
                    asker))
        } catch {
            if error == .outOfSpace { throw SQLiteError(code: SQLITE_FULL, message: "the disk is full") }
            return .failure(error)
        }
    }

    /// Applies in a savepoint of its own what the database may refuse.
    func alone(_ apply: () throws(SQLiteError) -> Outcome) throws(SQLiteError) -> Result<Outcome, LecternError> {
        let mark = application.mark
        try connection.run("SAVEPOINT command")
        do throws(SQLiteError) {
            let outcome = try apply()
            try connection.run("RELEASE command")
            return .success(outcome)
        } catch {
            guard Self.isRefusal(error), connection.isInTransaction else { throw error }
            try connection.run("ROLLBACK TO command")
            try connection.run("RELEASE command")
            application.rewind(to: mark)
            return .failure(error.asLecternError)
        }
    }

    /// A full or faulty disk or a damaged file is everybody's; a broken constraint, or too long a value, is one command's.
    static func isRefusal(_ error: SQLiteError) -> Bool {
        switch error.code & 0xFF {
        case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE, SQLITE_ERROR: true
        default: false
        }
    }
}

import CSQLite
import Model

/// Transactions that fail.
extension Writer {
    /// Answers commands of which nothing is written with an error.
    func refuse(_ batch: [PendingCommand], _ error: LecternError) {
        for command in batch { command.submission.completion(.failure(error)) }
    }

    /// The message with which the process ends: later writes would join a transaction that should have been rolled back.
    static func stuck(_ error: SQLiteError) -> String {
        "A transaction that failed cannot be rolled back (\(error.message), code \(error.code)). Nothing of it is on the disk."
    }

    /// Nothing of the batch is there: tells everyone. When that cannot be known, the process ends, so that nobody is told
    /// something false.
    func abandon(_ batch: [PendingCommand], _ error: SQLiteError) {
        let wasBegun = connection.isInTransaction
        do throws(SQLiteError) { try connection.rollBack() } catch { fail(Self.stuck(error)) }
        // Another program has the file: nothing was applied.
        if error.isLocked, !wasBegun { return refuse(batch, error.asLecternError) }
        if error.isDiskFault {
            fail(
                "The disk failed (\(error.message), code \(error.code)). Whether the last commit is on it is not known."
            )
        }
        do { application = try Application(connection, departed: application.departed) } catch {
            fail("The database cannot be read after a failed write: \(error.message)")
        }
        noteDay()
        if error.isFull { housekeeping.noteFull() }
        refuse(batch, error.asLecternError)
    }
}

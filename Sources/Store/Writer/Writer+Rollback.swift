import CSQLite
import Model

/// The handling of failed transactions.
extension Writer {
    /// Completes commands with an error. Nothing of them was written.
    func refuse(_ batch: [SubmittedCommand], _ error: RequestError) {
        for command in batch { command.completion(.failure(error)) }
    }

    /// Returns the message with which the process ends when a rollback fails. Otherwise later writes would join the
    /// failed transaction.
    static func rollbackFailure(_ error: SQLiteError) -> String {
        "A failed transaction cannot be rolled back (\(error.message), code \(error.code)). Nothing of it is on the disk."
    }

    /// Rolls a failed batch back and completes its commands with the error. Ends the process if the result is unknown,
    /// so that no client gets a wrong answer.
    func abandon(_ batch: [SubmittedCommand], _ error: SQLiteError) {
        let wasBegun = connection.isInTransaction
        do throws(SQLiteError) { try connection.rollBack() } catch { fail(Self.rollbackFailure(error)) }
        // Another program has locked the file, and nothing was applied.
        if error.isLocked, !wasBegun { return refuse(batch, error.asRequestError) }
        if error.isDiskFault {
            fail(
                "The disk failed (\(error.message), code \(error.code)). It is unknown whether the last commit is on it."
            )
        }
        do { transaction = try WriteTransaction(connection, departed: transaction.departed) } catch {
            fail("The database cannot be read after a failed write: \(error.message)")
        }
        recordDay()
        if error.isFull { maintenance.recordFullDisk() }
        refuse(batch, error.asRequestError)
    }
}

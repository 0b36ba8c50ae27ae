import CSQLite

/// The connection of a `ReadConnection` and its transactions.
///
/// Only this class begins and ends read transactions, so that none is left open. While one is open, all later reads of
/// the thread use its snapshot, even for revoked tokens, and the write-ahead log cannot be truncated.
final class ReadTransactions {
    private(set) var connection: SQLiteConnection
    /// A Boolean value indicating whether a transaction has begun and not ended.
    private(set) var isOpen = false
    private let open: () throws(SQLiteError) -> SQLiteConnection
    private let counters: StoreCounters?

    /// Opens the connection. `open` is called again to replace it.
    init(_ counters: StoreCounters?, open: @escaping () throws(SQLiteError) -> SQLiteConnection) throws(SQLiteError) {
        connection = try open()
        (self.open, self.counters) = (open, counters)
    }

    /// Begins a transaction.
    func begin() throws(SQLiteError) {
        try endOpenTransaction()
        do throws(SQLiteError) {
            try connection.runUninterrupted("BEGIN")
        } catch {
            recover()
            throw error
        }
        isOpen = true
    }

    /// Ends the transaction. If the connection can neither end it nor be opened again, the next read tries again and
    /// throws.
    func end() {
        isOpen = false
        // After some errors SQLite has already ended the transaction.
        guard connection.isInTransaction else { return }
        // A `COMMIT` that fails leaves the transaction open, which the next check finds.
        do throws(SQLiteError) { try connection.runUninterrupted("COMMIT") } catch {}
        if !connection.isIdle { recover() }
    }

    /// Ends any open transaction, including that of a statement that was not reset.
    ///
    /// - Throws: The error of reopening the connection, if it had to be closed.
    func endOpenTransaction() throws(SQLiteError) {
        guard !connection.isIdle else { return }
        counters?.recordRecoveredRead()
        // The next check finds a `ROLLBACK` that failed.
        do throws(SQLiteError) { try connection.runUninterrupted("ROLLBACK") } catch {}
        // Closes the old connection with its prepared statements when the new one is assigned.
        if !connection.isIdle { connection = try open() }
    }

    /// Ends the transaction where no error can be thrown. The next read tries again and throws.
    private func recover() {
        // On failure the connection stays open, and the next read finds that.
        do throws(SQLiteError) { try endOpenTransaction() } catch {}
    }

    /// A Boolean value indicating whether SQLite ended the open transaction by itself after an error, so that its
    /// snapshot is lost.
    var isLost: Bool { isOpen && !connection.isInTransaction }
}

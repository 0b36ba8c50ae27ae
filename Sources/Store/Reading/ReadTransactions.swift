import CSQLite

/// The connection of a `ReadConnection`, and its transactions.
///
/// Nothing else begins or ends a read transaction, so that no path leaves one open: while one is open, all later reads of the
/// thread see its snapshot, revoked tokens included, and the write-ahead log cannot be cut.
final class ReadTransactions {
    private(set) var connection: Connection
    /// Whether a transaction was begun and not ended yet.
    private(set) var isOpen = false
    private let open: () throws(SQLiteError) -> Connection
    private let counters: StoreCounters?

    /// Opens the connection; `open` is called again when it has to be replaced.
    init(_ counters: StoreCounters?, open: @escaping () throws(SQLiteError) -> Connection) throws(SQLiteError) {
        connection = try open()
        (self.open, self.counters) = (open, counters)
    }

    /// Begins a transaction.
    func begin() throws(SQLiteError) {
        try demandNone()
        do throws(SQLiteError) {
            try connection.runUninterrupted("BEGIN")
        } catch {
            recover()
            throw error
        }
        isOpen = true
    }

    /// Ends the transaction. Afterwards none is open, unless the connection can neither end it nor be opened again: then the next
    /// read tries again, and fails as long as that fails.
    func end() {
        isOpen = false
        // After some errors SQLite has ended it already.
        guard connection.isInTransaction else { return }
        // A COMMIT that fails leaves the transaction open, which is looked for in any case.
        do throws(SQLiteError) { try connection.runUninterrupted("COMMIT") } catch {}
        if !connection.isIdle { recover() }
    }

    /// Makes sure that no transaction is open, also none of a statement that was not reset.
    ///
    /// - Throws: Why the connection cannot be opened again, when it had to be closed.
    func demandNone() throws(SQLiteError) {
        guard !connection.isIdle else { return }
        counters?.noteRecoveredRead()
        // Whether it succeeded is what is looked for next.
        do throws(SQLiteError) { try connection.runUninterrupted("ROLLBACK") } catch {}
        // The old connection is closed as soon as there is a new one; its prepared statements go with it.
        if !connection.isIdle { connection = try open() }
    }

    /// Ends the transaction where no error can be thrown: the next read tries again and throws.
    private func recover() {
        // The connection stays as it is, which is found out then.
        do throws(SQLiteError) { try demandNone() } catch {}
    }

    /// Whether the snapshot of the open transaction was lost: after some errors SQLite ends a transaction by itself.
    var isLost: Bool { isOpen && !connection.isInTransaction }
}

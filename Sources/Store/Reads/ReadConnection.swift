import CSQLite
package import Model

/// A read-only connection, confined to one thread.
package final class ReadConnection {
    /// The time limit for rows that a page visits, in microseconds.
    let pageMicrosecondsMax: Int
    private let millisecondsMax: Int
    private let deadline: ReadDeadline
    private let transactions: ReadTransactions

    /// Opens a connection. Each `read`, or `query` outside a `read`, is interrupted after `millisecondsMax`; 0 means
    /// never.
    init(
        path: String, millisecondsMax: Int = 0, clock: ReadDeadlineClock = ReadDeadlineClock(),
        pageMicrosecondsMax: Int = StoreConfiguration().pageMicrosecondsMax, _ counters: StoreCounters? = nil
    ) throws(SQLiteError) {
        self.millisecondsMax = millisecondsMax
        self.pageMicrosecondsMax = pageMicrosecondsMax
        let deadline = ReadDeadline(millisecondsMax: millisecondsMax, clock)
        self.deadline = deadline
        transactions = try ReadTransactions(counters) { () throws(SQLiteError) in
            let connection = try SQLiteConnection(path: path, flags: SQLITE_OPEN_READONLY)
            for pragma in ["query_only = ON", "mmap_size = 0", "temp_store = MEMORY", "cache_size = -16384"] {
                try connection.execute("PRAGMA \(pragma)")
            }
            // Set only now: when a connection is opened again, the deadline of the previous read may have passed.
            deadline.watch(connection)
            return connection
        }
    }

    /// The current connection. It is replaced after a transaction that could not be ended.
    var db: SQLiteConnection { transactions.connection }

    /// Runs `body` with one snapshot of the database. A nested call uses the snapshot of the outer one.
    package func read<Result>(_ body: () throws(RequestError) -> Result) throws(RequestError) -> Result {
        if transactions.isOpen { return try body() }
        deadline.begin()
        do throws(SQLiteError) { try transactions.begin() } catch { throw requestError(error) }
        defer { transactions.end() }
        return try body()
    }

    /// Returns the result of a query, with SQLite errors converted to `RequestError`.
    func query<Result>(_ body: (SQLiteConnection) throws(SQLiteError) -> Result) throws(RequestError) -> Result {
        do throws(SQLiteError) {
            if transactions.isOpen {
                guard !transactions.isLost else { throw SQLiteError.lostSnapshot }
            } else {
                deadline.begin()
                try transactions.endOpenTransaction()
            }
            return try body(transactions.connection)
        } catch {
            throw requestError(error)
        }
    }

    /// Returns the result of a query in `db`, with SQLite errors converted to `RequestError`.
    @_disfavoredOverload
    func query<Result>(_ result: @autoclosure () throws(SQLiteError) -> Result) throws(RequestError) -> Result {
        try query { _ throws(SQLiteError) in try result() }
    }

    @inline(never)
    private func requestError(_ error: SQLiteError) -> RequestError {
        guard error.isInterruption else { return error.asRequestError }
        return .unavailable(
            .readTooLong,
            "The read took longer than readMillisecondsMax (\(millisecondsMax)). Use a narrower filter, or a smaller page.",
            retryAfterSeconds: 1)
    }
}

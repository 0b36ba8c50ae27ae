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

    /// Returns the viewer of the token with that digest, and the day of the token's last use, or `nil`.
    package func viewer(tokenDigest digest: SHA256Digest) throws(RequestError) -> KnownToken? {
        try viewer(where: "tokens.digest") { $0.bind(digest) }
    }

    /// Returns the viewer of the token that has the bound value in a column, such as its digest, or `nil`.
    func viewer(
        where column: StaticString, _ bind: (SQLiteStatement) -> SQLiteStatement
    ) throws(RequestError) -> KnownToken? {
        try query(
            bind(try db.statement(Self.viewers, "\(column)")).first { row throws(SQLiteError) in
                let isSession = row.integer(7) != 0
                let viewer = Viewer(
                    reader: row.id(0), readerKey: row.integer(1),
                    role: try row.choice(2, "readers.role", key: row.integer(1)),
                    access: try row.choice(3, "tokens.access", key: row.integer(1)), token: row.id(4),
                    expiresAt: row.optionalInstant(5),
                    sessionEndsAt: isSession ? row.instant(9).adding(seconds: Token.sessionDaysMax * 86_400) : nil,
                    isSuspended: row.integer(8) != 0)
                return KnownToken(viewer: viewer, lastUsedDay: row.optionalInteger(6), isSession: isSession)
            })
    }

    private static let viewers = SQLVariants<String> { column in
        """
        SELECT readers.id, readers.key, CASE is_librarian WHEN 1 THEN 'librarian' ELSE role END,
            tokens.access, tokens.id, tokens.expires_at, tokens.last_used_day, tokens.is_session,
            readers.suspension IS NOT NULL, tokens.created_at
        FROM tokens JOIN readers ON readers.key = tokens.reader WHERE \(column) = ?1
        """
    }

    /// Returns the first administrator, on whose behalf the local user of the machine acts, or `nil`.
    package func localAdministrator() throws(RequestError) -> Viewer? {
        try query(ReaderTable.firstAdministrator(in: db)).map {
            Viewer(reader: $0.id, readerKey: $0.key, role: $0.role, access: .write, token: nil, expiresAt: nil)
        }
    }

    /// Returns a book, or `nil`.
    package func book(_ id: ResourceID) throws(RequestError) -> Book? {
        try query(BookTable.find(id, in: db))
    }

    /// Returns a reading of any reader, or `nil`. The caller must check whose it is.
    package func reading(_ id: ResourceID) throws(RequestError) -> Reading? {
        try query(ReadingTable.find(id, in: db))
    }

    /// Returns an entry of any reader, or `nil`. The caller must check whose it is.
    package func entry(_ id: ResourceID) throws(RequestError) -> Entry? {
        try query(EntryTable.find(id, in: db))
    }

    /// Returns a reader, or `nil`.
    package func reader(_ id: ResourceID) throws(RequestError) -> Reader? {
        try query(ReaderTable.find(id, in: db))
    }

    /// Returns a token of any reader, or `nil`. The caller must check whose it is.
    package func token(_ id: ResourceID) throws(RequestError) -> Token? {
        try query(TokenTable.find(id, in: db))
    }
}

/// The viewer of a token, with the token's use.
package struct KnownToken: Sendable {
    package let viewer: Viewer
    /// The stored day of the token's last use.
    package var lastUsedDay: Int64?
    package let isSession: Bool
}

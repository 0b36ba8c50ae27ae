import CSQLite
import Model

/// An open connection with its prepared statements, which it keeps until it is closed. Confined to one thread.
final class SQLiteConnection {
    let handle: OpaquePointer
    private var statements: [UInt: SQLiteStatement] = [:]
    private var named: [SQLText: SQLiteStatement] = [:]
    private var interrupts: SQLiteInterruptHandler?
    /// The hashes of words that the table of words contains; see `WordTable`. A rollback must clear it.
    var knownWords: Set<Int> = []
    /// A Boolean value indicating whether a transaction that is larger than the cache writes pages before it commits.
    var spills = true

    /// Sets SQLite's options for the process. It must run before the first connection.
    // Later, they are refused without harm.
    private static let configuration: Void = {
        _ = lectern_sqlite3_uncounted_memory()
        _ = lectern_sqlite3_renumber_splits()
    }()

    /// Opens a database file; the flags are SQLite's.
    init(path: String, flags: Int32) throws(SQLiteError) {
        Self.configuration
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            // Closing loses nothing, because the connection was not used.
            sqlite3_close_v2(opened)
            throw SQLiteError(code: code, message: message)
        }
        handle = opened
        guardsSchema(true)
        for option in [SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_TRUSTED_SCHEMA] {
            let code = lectern_sqlite3_config_flag(handle, option, 0)
            guard code == SQLITE_OK else { throw error(code) }
        }
    }

    deinit {
        statements = [:]
        named = [:]
        // It fails only for an invalid handle.
        sqlite3_close_v2(handle)
    }

    /// Turns on or off the protection from statements that could corrupt the file, such as writes to the schema.
    func guardsSchema(_ guards: Bool) {
        // It fails only for an option that SQLite does not know, and it has known this one since 3.26.
        _ = lectern_sqlite3_config_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, guards ? 1 : 0)
    }

    /// Interrupts all later work within about half a millisecond when `isWanted` returns `false`.
    func interrupt(unless isWanted: @escaping () -> Bool) { interrupt(every: 10_000) { !isWanted() } }

    /// Interrupts all later work when `shouldInterrupt`, called after every `steps` virtual machine instructions,
    /// returns `true`.
    func interrupt(every steps: Int32, when shouldInterrupt: @escaping () -> Bool) {
        interrupts = SQLiteInterruptHandler(of: self, steps: steps, shouldInterrupt)
    }

    /// Returns the statement of a constant text, which is prepared at its first use and kept.
    @inline(never)
    func statement(_ sql: StaticString) throws(SQLiteError) -> SQLiteStatement {
        let address = UInt(bitPattern: sql.utf8Start)
        if let known = statements[address] { return known }
        let new = try SQLiteStatement(sql.description, in: handle)
        statements[address] = new
        return new
    }

    /// Returns the statement of a text that is composed once. It is prepared at its first use and kept.
    @inline(never)
    func statement(_ sql: SQLText) throws(SQLiteError) -> SQLiteStatement {
        if let known = named[sql] { return known }
        let new = try SQLiteStatement(sql.text, in: handle)
        named[sql] = new
        return new
    }

    /// Returns the statement of a shape. It is looked up by the shape, so its text need not be composed again.
    func statement<Shape>(_ texts: SQLVariants<Shape>, _ shape: Shape) throws(SQLiteError) -> SQLiteStatement {
        try statement(texts.text(shape))
    }

    /// Prepares a statement that is not kept. Its text must contain no outside values.
    func statement(once sql: String) throws(SQLiteError) -> SQLiteStatement { try SQLiteStatement(sql, in: handle) }

    /// Runs statements that return nothing, such as a migration.
    func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// Runs a kept statement without bound values or results.
    @inline(never)
    func run(_ sql: StaticString) throws(SQLiteError) {
        try statement(sql).run()
    }

    /// Runs `BEGIN`, `COMMIT` or `ROLLBACK` without interruption.
    func runUninterrupted(_ sql: StaticString) throws(SQLiteError) {
        interrupts?.isEnabled = false
        defer { interrupts?.isEnabled = true }
        try run(sql)
    }

    /// Rolls back the open transaction, if there is one.
    func rollBack() throws(SQLiteError) {
        if isInTransaction { try run("ROLLBACK") }
    }

    /// Returns the first column of the first row as a number, or `nil` without a row or for NULL.
    @inline(never)
    func number(_ sql: StaticString) throws(SQLiteError) -> Int64? {
        try statement(sql).number()
    }

    /// The key of the last inserted row.
    var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

    /// The number of rows that the last statement wrote or deleted.
    var changedCount: Int { Int(sqlite3_changes(handle)) }

    /// The number of rows that all statements of the connection have written or deleted, also if they were rolled back.
    var writtenRowCount: Int64 { sqlite3_total_changes64(handle) }

    /// A Boolean value indicating whether a transaction is open. Some errors end it.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// A Boolean value indicating whether no transaction is open, including that of a statement that was not reset.
    var isIdle: Bool { !isInTransaction && sqlite3_txn_state(handle, nil) == SQLITE_TXN_NONE }

    /// Keeps the write-ahead log, without copying it, when this connection is the last to close.
    func keepLogAtClose() {
        // It fails only for an option that SQLite does not know, and it has known this one since 3.16.
        _ = lectern_sqlite3_config_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }

    /// Returns the error of a result code.
    func error(_ code: Int32) -> SQLiteError {
        SQLiteError(code: code, of: handle)
    }
}

import CSQLite
import Model

/// One open connection with its prepared statements. Confined to one thread; its statements live as long as it does.
final class Connection {
    let handle: OpaquePointer
    private var statements: [UInt: Statement] = [:]
    private var named: [SQL: Statement] = [:]
    /// By the variants' identity, each a `PreparedVariants` of their shape.
    private var variants: [ObjectIdentifier: AnyObject] = [:]
    private var interrupts: InterruptHandler?
    /// Of the connection that writes. Who rolls back lets it forget.
    var knownWords = KnownWords()

    /// Must come before the first connection; refused, and harmless, when somebody else was first.
    // Refused, it only costs time.
    private static let uncountedMemory: Void = { _ = lectern_sqlite3_uncounted_memory() }()

    /// Opens a database file; the flags are SQLite's.
    init(path: String, flags: Int32) throws(SQLiteError) {
        Self.uncountedMemory
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            // Nothing was done with it that could be lost.
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
        variants = [:]
        // It fails only for an invalid handle.
        sqlite3_close_v2(handle)
    }

    /// Whether even a careless statement cannot damage the file, such as one that writes into the schema.
    func guardsSchema(_ guards: Bool) {
        // It fails only for an option that SQLite does not know, and it has known this one since 3.26.
        _ = lectern_sqlite3_config_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, guards ? 1 : 0)
    }

    /// From now on it breaks off what it does where that is not wanted any more, about half a millisecond later.
    func goOn(while isWanted: @escaping () -> Bool) { interrupt(every: 10_000) { !isWanted() } }

    /// From now on what it does is interrupted when `shouldInterrupt`, asked every so many steps of SQLite's, says so.
    func interrupt(every steps: Int32, when shouldInterrupt: @escaping () -> Bool) {
        interrupts = InterruptHandler(of: self, steps: steps, shouldInterrupt)
    }

    /// The statement of a constant text: prepared at its first use, then kept.
    @inline(never)
    func statement(_ sql: StaticString) throws(SQLiteError) -> Statement {
        let address = UInt(bitPattern: sql.utf8Start)
        if let known = statements[address] { return known }
        let new = try Statement(sql.description, in: handle)
        statements[address] = new
        return new
    }

    /// The statement of a text that is composed once: prepared at its first use, then kept.
    @inline(never)
    func statement(_ sql: SQL) throws(SQLiteError) -> Statement {
        if let known = named[sql] { return known }
        let new = try Statement(sql.text, in: handle)
        named[sql] = new
        return new
    }

    /// The statement of a shape: looked up by that, so that its text need not be composed again.
    func statement<Shape>(_ texts: Variants<Shape>, _ shape: Shape) throws(SQLiteError) -> Statement {
        if let known = variants[ObjectIdentifier(texts)] {
            // SAFETY: what is kept under the identity of variants was made below, for their shape.
            return try unsafeDowncast(known, to: PreparedVariants<Shape>.self).statement(shape, in: handle)
        }
        let prepared = PreparedVariants(texts)
        variants[ObjectIdentifier(texts)] = prepared
        return try prepared.statement(shape, in: handle)
    }

    /// A statement that is not kept. Its text must hold no value from outside.
    func statement(once sql: String) throws(SQLiteError) -> Statement { try Statement(sql, in: handle) }

    /// Runs statements that return nothing, such as a migration.
    func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    /// Runs a kept statement without values or results.
    @inline(never)
    func run(_ sql: StaticString) throws(SQLiteError) {
        let statement = try statement(sql)
        defer { statement.reset() }
        _ = try statement.step()
    }

    /// Runs BEGIN, COMMIT or ROLLBACK, which nothing may interrupt.
    func runUninterrupted(_ sql: StaticString) throws(SQLiteError) {
        interrupts?.isEnabled = false
        defer { interrupts?.isEnabled = true }
        try run(sql)
    }

    /// Rolls back the open transaction, if one is open.
    func rollBack() throws(SQLiteError) {
        if isInTransaction { try run("ROLLBACK") }
    }

    /// The first column of the first row of a statement, as a number; nil without a row or with NULL.
    @inline(never)
    func number(_ sql: StaticString) throws(SQLiteError) -> Int64? {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.optionalInteger(0) : nil
    }

    /// The key of the row that was inserted last.
    var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

    /// The rows that the last statement wrote or took away.
    var changedCount: Int { Int(sqlite3_changes(handle)) }

    /// Whether a transaction is open: some errors end it.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Whether no transaction is open, also none of a statement that still has rows.
    var isIdle: Bool { !isInTransaction && sqlite3_txn_state(handle, nil) == SQLITE_TXN_NONE }

    /// The write-ahead log is neither copied nor taken away when this connection is the last to close.
    func keepLogAtClose() {
        // It fails only for an option that SQLite does not know, and it has known this one since 3.16.
        _ = lectern_sqlite3_config_flag(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }

    /// The error of a result code.
    func error(_ code: Int32) -> SQLiteError {
        SQLiteError(code: code, of: handle)
    }
}

import CSQLite

extension DatabaseCopyFile {
    /// The error of a copy that is cancelled because the server stops.
    static let cancelled = "it was cancelled because the server stops"
    /// The number of pages of one step, which takes about a fifth of a millisecond.
    private static let pagesPerStep: Int32 = 64

    /// Begins a read transaction on a connection, so that a copy has the database as it is now.
    static func begin(_ source: SQLiteConnection) throws(SQLiteError) {
        try source.run("BEGIN")
        _ = try source.number("SELECT count(*) FROM sqlite_schema")
    }

    /// Copies a database as it is now, or was when the source's read transaction began, a few pages at a time, and seals
    /// the file. Other connections can write meanwhile; their commits are not in the copy.
    ///
    /// The source is in a read transaction, so no commit restarts the copy, but the write-ahead log cannot be reset until
    /// the copy ends. `pause` is called after each step, and cancels the copy by returning `false`.
    func copy(of source: SQLiteConnection, pause: () -> Bool = { true }) throws(StoreError) {
        do throws(SQLiteError) {
            if !source.isInTransaction { try Self.begin(source) }
            // A read transaction has nothing to lose: its end fails only if SQLite has already ended it.
            defer { try? source.rollBack() }
            try copyPages(of: source, pause)
        } catch {
            throw .file(path: path, reason: "the copy failed: \(error.message) (SQLite error \(error.code))")
        }
        try seal()
    }

    private func copyPages(of source: SQLiteConnection, _ pause: () -> Bool) throws(SQLiteError) {
        let target = try connection(SQLITE_OPEN_READWRITE)
        // An unfinished copy is discarded, so it needs no journal. It is synced once, at the end.
        target.guardsSchema(false)
        for pragma in ["journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE"] {
            try target.execute("PRAGMA \(pragma)")
        }
        guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
            throw target.error(sqlite3_extended_errcode(target.handle))
        }
        var isWanted = true
        var code: Int32
        repeat {
            code = sqlite3_backup_step(backup, Self.pagesPerStep)
            isWanted = pause()
        } while code == SQLITE_OK && isWanted
        let end = sqlite3_backup_finish(backup)
        guard code != SQLITE_OK else { throw SQLiteError(code: SQLITE_ABORT, message: Self.cancelled) }
        guard code == SQLITE_DONE, end == SQLITE_OK else {
            let failure = code == SQLITE_DONE ? end : code
            throw SQLiteError(code: failure, message: String(cString: sqlite3_errstr(failure)))
        }
    }
}

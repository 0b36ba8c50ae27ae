import CSQLite

/// A copy of a database into a file, some pages at a time.
///
/// It uses the connection that writes, so commits also update the copied pages; with another connection, SQLite
/// restarts the copy at each commit. No lock is held between two steps, so checkpoints continue. The result is the
/// database as of the last step.
final class PagewiseDatabaseCopy {
    private let source: Connection
    /// The target connection, or `nil` after the end. It is closed because readers of the copy would find it locked.
    private var target: Connection?
    private let backup: OpaquePointer
    private var isOver = false
    /// The remaining pages after the last step, and the number of times that they increased. A rollback after pages
    /// were spilled to the log restarts the copy.
    private(set) var left = Int32.max
    private(set) var restarts: Int32 = 0

    /// The number of pages of the source at the last step.
    var pageCount: Int32 { isOver ? countAtEnd : sqlite3_backup_pagecount(backup) }
    private var countAtEnd: Int32 = 0

    /// Starts a copy into an existing, empty file that nothing else uses.
    convenience init(of source: Connection, to path: String) throws(SQLiteError) {
        // The cache keeps pages that change repeatedly, which would otherwise be read back and written out each time.
        try self.init(
            of: source, to: try Connection(path: path, flags: SQLITE_OPEN_READWRITE), cacheKibibytes: 32_768)
    }

    /// Starts a copy whose pages go to a stream.
    convenience init(of source: Connection, to stream: PageRecordStream) throws(SQLiteError) {
        stream.begin(pageSize: Int(try source.number("PRAGMA page_size") ?? 0))
        try self.init(of: source, to: try PageStreamFileSystem.connect(to: stream), cacheKibibytes: 4096)
    }

    private init(of source: Connection, to target: Connection, cacheKibibytes: Int) throws(SQLiteError) {
        self.source = source
        // An unfinished copy is discarded, so it needs no journal. It is synced once, at the end.
        target.guardsSchema(false)
        let settings = [
            "journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE", "cache_size = -\(cacheKibibytes)",
        ]
        for pragma in settings {
            try target.execute("PRAGMA \(pragma)")
        }
        guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
            throw target.error(sqlite3_extended_errcode(target.handle))
        }
        self.backup = backup
        self.target = target
    }

    deinit { end() }

    /// Copies up to `pages` pages. Returns `true` when the copy is complete.
    func step(pages: Int32) throws(SQLiteError) -> Bool {
        let code = sqlite3_backup_step(backup, pages)
        let left = sqlite3_backup_remaining(backup)
        switch code & 0xFF {
        case SQLITE_DONE:
            let code = end()
            guard code == SQLITE_OK else {
                throw SQLiteError(code: code, message: String(cString: sqlite3_errstr(code)))
            }
            return true
        case SQLITE_OK, SQLITE_BUSY, SQLITE_LOCKED:
            // A database may grow by some pages during the copy; after a restart nearly all pages remain.
            if left > self.left, left > sqlite3_backup_pagecount(backup) - 2 * max(pages, 1) { restarts += 1 }
            self.left = left
            return false
        default: throw SQLiteError(code: code, message: String(cString: sqlite3_errstr(code)))
        }
    }

    /// Closes the copy, finished or not.
    @discardableResult
    func end() -> Int32 {
        if isOver { return SQLITE_OK }
        countAtEnd = sqlite3_backup_pagecount(backup)
        isOver = true
        let code = sqlite3_backup_finish(backup)
        target = nil
        return code
    }
}

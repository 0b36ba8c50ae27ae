import CSQLite

/// A copy of a database on its way into a file, some pages at a time. On the very connection that writes: what that commits goes
/// into the copied pages, too, where a copy by any other connection begins anew at each commit. Between two steps nothing is held,
/// so that checkpoints go on. What it becomes is the database as of its last step.
final class PageCopy {
    private let source: Connection
    /// Nil once it is over: closed, for who reads the copy then finds it locked otherwise.
    private var target: Connection?
    private let backup: OpaquePointer
    private var isOver = false
    /// Pages that were left at the last look, and how often there were more than before: a rollback that had written pages out
    /// lets it begin anew.
    private(set) var left = Int32.max
    private(set) var restarts: Int32 = 0

    /// The pages of the source at the last look.
    var pageCount: Int32 { isOver ? countAtEnd : sqlite3_backup_pagecount(backup) }
    private var countAtEnd: Int32 = 0

    /// Begins; the file is there, empty, and nobody else's.
    convenience init(of source: Connection, to path: String) throws(SQLiteError) {
        // Pages that are written again and again meanwhile stay at hand, or each would be read back and written out each time.
        try self.init(
            of: source, to: try Connection(path: path, flags: SQLITE_OPEN_READWRITE), cacheKibibytes: 32_768)
    }

    /// Begins a copy whose pages go to a stream.
    convenience init(of source: Connection, to stream: PageStream) throws(SQLiteError) {
        stream.begin(pageSize: Int(try source.number("PRAGMA page_size") ?? 0))
        try self.init(of: source, to: try PageStreamDisk.connect(to: stream), cacheKibibytes: 4096)
    }

    private init(of source: Connection, to target: Connection, cacheKibibytes: Int) throws(SQLiteError) {
        self.source = source
        // What is not whole is thrown away: nothing need be kept to take it back. It is synced once, in the end.
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

    /// Copies up to so many pages; true when the copy is whole.
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
            // A database may grow by some pages meanwhile; a copy that was begun anew has nearly all of them before it.
            if left > self.left, left > sqlite3_backup_pagecount(backup) - 2 * max(pages, 1) { restarts += 1 }
            self.left = left
            return false
        default: throw SQLiteError(code: code, message: String(cString: sqlite3_errstr(code)))
        }
    }

    /// Closes the copy, whole or not.
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

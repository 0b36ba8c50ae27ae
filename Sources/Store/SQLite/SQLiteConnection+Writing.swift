import CLinux
import CSQLite
import Glibc

extension SQLiteConnection {
    private static let pragmas = [
        "page_size = \(DatabaseSchema.pageBytes)", "foreign_keys = ON", "cell_size_check = ON", "mmap_size = 0",
        "wal_autocheckpoint = 0", "temp_store = MEMORY", "cache_size = -16384",
        // Deleted content is overwritten, as in Debian's default build of SQLite.
        "secure_delete = ON",
    ]

    /// Opens the only connection that writes. Creates a missing file, and upgrades an older schema after making a copy.
    /// Throws if the file is damaged, belongs to another program or is newer than this program.
    static func forWriting(
        _ directory: DataDirectory, _ configuration: StoreConfiguration = StoreConfiguration(),
        report: (OperatorNotice) -> Void = { _ in }
    ) throws(StoreError) -> SQLiteConnection {
        let path = directory.database
        let connection = try StoreError.at(directory) { () throws(SQLiteError) in
            try SQLiteConnection(path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        }
        // Fails on a file system without modes, and for a file of another user. Then only the directory's mode can keep
        // others out.
        chmod(path, 0o600)
        // Set first, because SQLite gives the files beside it the same owner.
        clinux_give_to_folder(path)
        guard sqlite3_db_readonly(connection.handle, "main") == 0 else {
            throw .file(path: path, reason: "the file is read-only for this user, or on this file system")
        }
        // It fails only for an invalid handle.
        sqlite3_busy_timeout(connection.handle, 1000)
        let found = try DatabaseSchema.version(of: connection, directory)
        let mode = try StoreError.at(directory) { () throws(SQLiteError) in
            for pragma in pragmas { try connection.execute("PRAGMA \(pragma)") }
            try connection.execute("PRAGMA synchronous = \(configuration.isDurable ? "FULL" : "OFF")")
            return try connection.statement(once: "PRAGMA journal_mode = WAL").first { $0.text(0) }
        }
        guard mode == "wal" else {
            throw .file(path: path, reason: "this file system cannot hold a write-ahead log")
        }
        if found > 0, found < DatabaseSchema.newest {
            try directory.backUpBeforeUpgrade(connection, from: found, configuration, report: report)
        }
        try StoreError.at(directory) { () throws(SQLiteError) in try DatabaseSchema.migrate(connection, from: found) }
        if configuration.isDurable { LogWriteBuffer.install(in: connection) }
        try DataDirectory.sync(directory.path)
        try DataDirectory.sync(directory.path + "/..")
        return connection
    }

    /// Begins a transaction that writes.
    func beginWriting() throws(SQLiteError) {
        try setSpilling(true)
        try run("BEGIN IMMEDIATE")
    }

    /// Begins a savepoint. From here on the transaction writes nothing to the write-ahead log before it commits, even if
    /// it outgrows the cache.
    ///
    /// Otherwise SQLite 3.40.1 can leave frames without checksums in the log if the transaction is rolled back to the
    /// savepoint, goes on and commits. After a crash the commit, and all later ones, would be lost.
    func beginSavepoint(_ sql: StaticString) throws(SQLiteError) {
        try setSpilling(false)
        try run(sql)
    }

    private func setSpilling(_ spills: Bool) throws(SQLiteError) {
        guard spills != self.spills else { return }
        // The number of changed pages from which SQLite writes some; 1 means the size of the cache.
        try execute("PRAGMA cache_spill = \(spills ? 1 : Int32.max)")
        self.spills = spills
    }
}

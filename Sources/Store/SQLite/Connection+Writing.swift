import CLinux
import CSQLite
import Glibc

extension Connection {
    private static let pragmas = [
        "foreign_keys = ON", "cell_size_check = ON", "mmap_size = 0", "wal_autocheckpoint = 0",
        "temp_store = MEMORY", "cache_size = -16384",
        // What is deleted is written over, as Debian's SQLite does anyway.
        "secure_delete = ON",
    ]

    /// The only connection that writes: makes the file where it is missing, refuses one that is damaged, another program's, or
    /// newer than the program, and brings an older one up to date.
    /// Before that a copy is made.
    static func forWriting(
        _ directory: DataDirectory, _ configuration: StoreConfiguration = StoreConfiguration(),
        say: (Notice) -> Void = { _ in }
    ) throws(StoreError) -> Connection {
        let path = directory.database
        let connection = try StoreError.at(directory) { () throws(SQLiteError) in
            try Connection(path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        }
        // A file system without modes refuses it, and so does a file of another user: then the directory keeps others out, or nothing.
        chmod(path, 0o600)
        // Before SQLite makes those beside it, which belong to whom this belongs.
        clinux_give_to_folder(path)
        guard sqlite3_db_readonly(connection.handle, "main") == 0 else {
            throw .file(path: path, reason: "the file is read-only for this user, or on this file system")
        }
        // It fails only for an invalid handle.
        sqlite3_busy_timeout(connection.handle, 1000)
        let found = try Schema.version(of: connection, directory)
        let mode = try StoreError.at(directory) { () throws(SQLiteError) in
            for pragma in pragmas { try connection.execute("PRAGMA \(pragma)") }
            try connection.execute("PRAGMA synchronous = \(configuration.isDurable ? "FULL" : "OFF")")
            return try connection.statement(once: "PRAGMA journal_mode = WAL").first { $0.text(0) }
        }
        guard mode == "wal" else {
            throw .file(path: path, reason: "this file system cannot hold a write-ahead log")
        }
        if found > 0, found < Schema.newest {
            try UpgradeCopy(directory, configuration).make(of: connection, from: found, say: say)
        }
        try StoreError.at(directory) { () throws(SQLiteError) in
            try Schema.migrate(connection, from: found)
            try Release.note(in: connection)
        }
        try DataDirectory.sync(directory.path)
        try DataDirectory.sync(directory.path + "/..")
        return connection
    }
}

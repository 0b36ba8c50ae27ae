import CSQLite
import Glibc

extension Connection {
    private static let pragmas = [
        "synchronous = FULL", "foreign_keys = ON", "cell_size_check = ON", "mmap_size = 0", "wal_autocheckpoint = 0",
        "temp_store = MEMORY", "cache_size = -16384",
    ]

    /// The only connection that writes: makes the file where it is missing, refuses one that is damaged or newer than the
    /// program, and brings an older one up to date.
    static func forWriting(_ path: String, _ directory: String) throws(StoreError) -> Connection {
        let connection = try translating(directory) { () throws(SQLiteError) in
            try Connection(path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        }
        chmod(path, 0o600)
        let found = try translating(directory) { () throws(SQLiteError) in
            try connection.number("PRAGMA user_version") ?? 0
        }
        guard found <= Schema.newest else { throw .tooNew(found: found, known: Schema.newest) }
        let mode = try translating(directory) { () throws(SQLiteError) in
            for pragma in pragmas { try connection.execute("PRAGMA \(pragma)") }
            return try connection.statement(once: "PRAGMA journal_mode = WAL").first { $0.text(0) }
        }
        guard mode == "wal" else {
            throw .file(path: path, reason: "this file system cannot hold a write-ahead log")
        }
        let findings = Integrity.quickFindings(connection)
        guard findings.isEmpty else { throw .damaged(directory: directory, findings: findings) }
        try translating(directory) { () throws(SQLiteError) in try Schema.migrate(connection, from: found) }
        sync(directory)
        sync(directory + "/..")
        return connection
    }

    private static func translating<Result>(
        _ directory: String, _ body: () throws(SQLiteError) -> Result
    ) throws(StoreError) -> Result {
        do throws(SQLiteError) {
            return try body()
        } catch {
            if error.isDamage { throw .damaged(directory: directory, findings: [error.message]) }
            throw StoreError(error)
        }
    }

    /// Makes the names in a directory durable: a file that is on disk under no name is lost all the same.
    private static func sync(_ directory: String) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

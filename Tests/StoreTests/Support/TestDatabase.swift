import CSQLite
import Glibc

/// A database that no store has open.
enum TestDatabase {
    static func execute(_ path: String, _ sql: String) throws {
        var database: OpaquePointer?
        defer { sqlite3_close_v2(database) }
        guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
            sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
        else { throw Refused() }
    }

    /// Creates a database with some SQL texts.
    static func make(_ path: String, _ texts: [String]) throws {
        close(creat(path, 0o600))
        for text in texts { try execute(path, text) }
    }

    struct Refused: Error {}
}

import CSQLite
import Glibc

/// Looks for damage.
enum Integrity {
    /// SQLite's own quick check, at most ten findings.
    static func quickFindings(_ connection: Connection) -> [String] { findings(connection, "PRAGMA quick_check(10)") }

    /// Everything that can be checked of a database that no server has open.
    static func allFindings(_ connection: Connection) -> [String] {
        findings(connection, "PRAGMA integrity_check(100)")
            + findings(
                connection,
                "SELECT 'foreign key of ' || \"table\" || ' row ' || coalesce(rowid, '?') FROM pragma_foreign_key_check"
            )
            + words(connection) + versions(connection)
    }

    private static func findings(_ connection: Connection, _ sql: String) -> [String] {
        do {
            return try connection.statement(composed: sql).all { $0.text(0) }.filter { $0 != "ok" }
        } catch {
            return [error.message]
        }
    }

    private static func words(_ connection: Connection) -> [String] {
        findings(
            connection,
            """
            SELECT 'book ' || hex(id) || ' has no search words' FROM books
            WHERE NOT EXISTS (SELECT 1 FROM books_words WHERE books_words.rowid = books.key) LIMIT 100
            """)
    }

    /// A row's version is the number of its last change, as far as the log still has it.
    private static func versions(_ connection: Connection) -> [String] {
        [("books", 3), ("readings", 4), ("entries", 5)].flatMap { table, kind in
            findings(
                connection,
                """
                SELECT '\(table) row ' || key || ' has version ' || version || ', the log says otherwise' FROM \(table)
                WHERE version >= (SELECT min(seq) FROM changes) AND NOT EXISTS (
                    SELECT 1 FROM changes WHERE seq = version AND kind = \(kind) AND resource = id) LIMIT 100
                """)
        }
    }
}

extension Store {
    /// Checks the database of a directory that no server has open: SQLite's integrity, foreign keys, the search index, and
    /// the log against the rows. Returns the findings; empty means sound.
    public static func check(directory: String) throws(StoreError) -> [String] {
        let path = directory + "/lectern.sqlite"
        guard access(path, F_OK) == 0 else { throw .file(path: path, reason: "there is no database") }
        let lock = try DirectoryLock(directory: directory)
        defer { withExtendedLifetime(lock) {} }
        do {
            return Integrity.allFindings(try Connection(path: path, flags: SQLITE_OPEN_READWRITE))
        } catch {
            throw StoreError(error)
        }
    }
}

import CSQLite
import Glibc

/// Looks for damage.
enum Integrity {
    /// SQLite's own quick check, at most ten findings.
    static func quickFindings(_ connection: Connection) throws(SQLiteError) -> [String] {
        try findings(connection, "PRAGMA quick_check(10)")
    }

    /// Everything that can be checked of a database that no server has open.
    static func allFindings(_ connection: Connection) throws(SQLiteError) -> [String] {
        let pages = try findings(connection, "PRAGMA integrity_check(100)")
        // What else is said of broken pages would only be noise.
        guard pages.isEmpty else { return pages }
        return try references(connection) + words(connection) + SearchIndex.findings(connection) + numbers(connection)
            + versions(connection)
    }

    /// What a query found. That the file is damaged is a finding; that it cannot be read now is an error.
    private static func findings(_ connection: Connection, _ sql: String) throws(SQLiteError) -> [String] {
        do throws(SQLiteError) {
            return try connection.statement(once: sql).all { $0.text(0) }.filter { $0 != "ok" }
        } catch {
            guard error.isDamage else { throw error }
            return [error.message]
        }
    }

    private static func references(_ connection: Connection) throws(SQLiteError) -> [String] {
        try findings(
            connection,
            """
            SELECT 'foreign key of ' || "table" || ' row ' || coalesce(rowid, '?') || ': there is no such row in ' || parent
            FROM pragma_foreign_key_check LIMIT 100
            """)
    }

    /// The search index by its own check, and against the books.
    private static func words(_ connection: Connection) throws(SQLiteError) -> [String] {
        try findings(connection, "INSERT INTO books_words (books_words) VALUES ('integrity-check')").map {
            "search index: \($0)"
        }
            + findings(
                connection,
                """
                SELECT 'book ' || hex(id) || ' has no search words' FROM books
                WHERE NOT EXISTS (SELECT 1 FROM books_words WHERE books_words.rowid = books.key) LIMIT 100
                """)
            + findings(
                connection,
                """
                SELECT 'search words ' || rowid || ' have no book' FROM books_words
                WHERE NOT EXISTS (SELECT 1 FROM books WHERE books.key = books_words.rowid) LIMIT 100
                """)
    }

    /// A reader of the log must see no gap in its numbers.
    private static func numbers(_ connection: Connection) throws(SQLiteError) -> [String] {
        try findings(
            connection,
            """
            SELECT 'the log has ' || count(*) || ' changes numbered ' || min(seq) || ' to ' || max(seq) FROM changes
            HAVING count(*) <> max(seq) - min(seq) + 1
            """)
    }

    /// A row's version is the number of its last change, as far as the log still has it; what the log deleted last is gone,
    /// and what it did not is there (but for what goes with a reading or a club).
    private static func versions(_ connection: Connection) throws(SQLiteError) -> [String] {
        let tables = [
            ("readers", 1, "version"), ("tokens", 2, "version"), ("books", 3, "version"),
            ("readings", 4, "version"), ("entries", 5, "key"), ("clubs", 7, "version"), ("members", 8, "version"),
            ("notes", 9, "version"), ("invitations", 10, "version"),
        ]
        var all: [String] = []
        for (table, kind, version) in tables {
            all += try findings(
                connection,
                """
                WITH last AS (SELECT resource, max(seq) AS seq, operation FROM changes
                    WHERE kind = \(kind) AND operation <> 4 GROUP BY resource)
                SELECT * FROM (
                    SELECT '\(table): ' || hex(id) || ' has version ' || \(version) || ', the log has '
                        || coalesce(last.seq, 'nothing')
                    FROM \(table) LEFT JOIN last ON last.resource = id
                    WHERE (\(version) >= (SELECT min(seq) FROM changes) AND last.seq IS NOT \(version)
                        OR last.seq > \(version))\(kind == 9 ? " AND body IS NOT NULL" : "")
                    UNION ALL
                    SELECT '\(table): ' || hex(resource) || ' is in the log and nowhere else' FROM last
                    WHERE operation <> 3 AND \(kind) NOT IN (5, 8, 9, 10) AND NOT EXISTS (SELECT 1 FROM \(table) WHERE id = resource)
                ) LIMIT 100
                """)
        }
        return all
    }
}

extension Store {
    /// Checks the database of a directory that no server has open: SQLite's integrity, foreign keys, the search index, and
    /// the log against the rows. Returns the findings; empty means sound.
    public static func check(directory path: String) throws(StoreError) -> [String] {
        let directory = DataDirectory(path: path)
        try directory.demandDatabase()
        let lock = try DirectoryLock(directory)
        defer { lock.release() }
        let wasClosed = directory.wasClosed
        let connection = try StoreError.at(directory) { () throws(SQLiteError) in
            try Connection(path: directory.database, flags: SQLITE_OPEN_READWRITE)
        }
        // Whoever starts next must know that the last end was none.
        if !wasClosed { connection.keepLogAtClose() }
        return try StoreError.at(directory) { () throws(SQLiteError) in try Integrity.allFindings(connection) }
    }
}

import Model

/// The progress of the renewal of the search index. `meta` contains it as of the last slice.
struct SearchIndexProgress: Equatable {
    /// The table that is being renewed.
    var part = IndexedTable.allCases[0]
    /// The key of the last row that was visited in it.
    var key: Int64 = 0
    /// The number of visited rows in all tables.
    var rows: Int64 = 0
    /// The approximate total number of rows.
    let total: Int64

    /// The target of the renewal. A renewal with another target, by another program or schema, starts again.
    private static let goal = Int64(Migrations.embedded.count) << 32 | SearchFold.version
    private static let keyMask: Int64 = 1 << 40 - 1

    init(total: Int64) { self.total = total }

    /// Reads the stored progress. Returns `nil` if the renewal has not begun.
    init?(in connection: Connection) throws(SQLiteError) {
        let said = try connection.statement(
            """
            SELECT (SELECT value FROM meta WHERE name = 'renewed'), (SELECT value FROM meta WHERE name = 'renewed_rows'),
                (SELECT value FROM meta WHERE name = 'renewing_rows') FROM meta WHERE name = 'renewing' AND value = ?1
            """
        ).bind(1, Self.goal).first { ($0.integer(0), $0.integer(1), $0.integer(2)) }
        guard let (place, rows, total) = said, let part = IndexedTable(rawValue: place >> 40) else { return nil }
        self.total = total
        (self.part, self.key, self.rows) = (part, place & Self.keyMask, rows)
    }

    /// The progress in percent, at most 99 before the end.
    var percent: Int { total > 0 ? Int(min(99, max(0, rows) * 100 / total)) : 0 }

    /// Returns a Boolean value indicating whether a row was visited.
    func hasPassed(_ key: Int64, of part: IndexedTable) -> Bool {
        (part.rawValue, key) <= (self.part.rawValue, self.key)
    }

    /// Stores the start of the renewal. Until its end the index has no stored folding.
    func begin(in connection: Connection) throws(SQLiteError) {
        try connection.run("DELETE FROM meta WHERE name = 'fold'")
        try connection.statement(
            "INSERT OR REPLACE INTO meta (name, value) VALUES ('renewing', ?1), ('renewing_rows', ?2)"
        ).bind(1, Self.goal).bind(2, total).run()
        try keep(in: connection)
    }

    /// Stores the progress.
    func keep(in connection: Connection) throws(SQLiteError) {
        try connection.statement(
            "INSERT OR REPLACE INTO meta (name, value) VALUES ('renewed', ?1), ('renewed_rows', ?2)"
        ).bind(1, part.rawValue << 40 | key).bind(2, rows).run()
    }

    /// Stores that all words have this program's folding.
    static func end(in connection: Connection) throws(SQLiteError) {
        try connection.run("DELETE FROM meta WHERE name IN ('renewing', 'renewing_rows', 'renewed', 'renewed_rows')")
        try connection.statement("INSERT OR REPLACE INTO meta (name, value) VALUES ('fold', ?1)")
            .bind(1, SearchFold.version).run()
    }
}

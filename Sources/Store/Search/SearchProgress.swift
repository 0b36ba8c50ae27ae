import Model

/// How far the renewal of the search index has come, as `meta` has it since the transaction of the last slice.
struct SearchProgress: Equatable {
    /// Which rows are walked.
    var part = SearchIndex.Part.allCases[0]
    /// The last row of them that has been looked at.
    var key: Int64 = 0
    /// Rows that have been looked at, of all parts.
    var rows: Int64 = 0
    /// About how many there are.
    let total: Int64

    /// What the words are to become. What began for another program, or when other tables had them, begins anew.
    private static let goal = Int64(Migrations.embedded.count) << 32 | SearchFold.version
    private static let keyMask: Int64 = 1 << 40 - 1

    init(total: Int64) { self.total = total }

    /// Where it stands; nil when it has not begun.
    init?(in connection: Connection) throws(SQLiteError) {
        let said = try connection.statement(
            """
            SELECT (SELECT value FROM meta WHERE name = 'renewed'), (SELECT value FROM meta WHERE name = 'renewed_rows'),
                (SELECT value FROM meta WHERE name = 'renewing_rows') FROM meta WHERE name = 'renewing' AND value = ?1
            """
        ).bind(1, Self.goal).first { ($0.integer(0), $0.integer(1), $0.integer(2)) }
        guard let (place, rows, total) = said, let part = SearchIndex.Part(rawValue: place >> 40) else { return nil }
        self.total = total
        (self.part, self.key, self.rows) = (part, place & Self.keyMask, rows)
    }

    /// Of a hundred; the last one is there when all is.
    var percent: Int { total > 0 ? Int(min(99, max(0, rows) * 100 / total)) : 0 }

    /// Whether a row has been looked at.
    func hasPassed(_ key: Int64, of part: SearchIndex.Part) -> Bool {
        (part.rawValue, key) <= (self.part.rawValue, self.key)
    }

    /// Notes that it begins: until it ends the index has no fold.
    func begin(in connection: Connection) throws(SQLiteError) {
        try connection.run("DELETE FROM meta WHERE name = 'fold'")
        try connection.statement(
            "INSERT OR REPLACE INTO meta (name, value) VALUES ('renewing', ?1), ('renewing_rows', ?2)"
        ).bind(1, Self.goal).bind(2, total).run()
        try keep(in: connection)
    }

    /// Notes where it stands.
    func keep(in connection: Connection) throws(SQLiteError) {
        try connection.statement(
            "INSERT OR REPLACE INTO meta (name, value) VALUES ('renewed', ?1), ('renewed_rows', ?2)"
        ).bind(1, part.rawValue << 40 | key).bind(2, rows).run()
    }

    /// Notes that all words are of this program's fold.
    static func end(in connection: Connection) throws(SQLiteError) {
        try connection.run("DELETE FROM meta WHERE name IN ('renewing', 'renewing_rows', 'renewed', 'renewed_rows')")
        try connection.statement("INSERT OR REPLACE INTO meta (name, value) VALUES ('fold', ?1)")
            .bind(1, SearchFold.version).run()
    }
}

import Model

/// Rows of readers.
enum ReaderTable: Table {
    static let rows = Rows<Reader>("readers")

    static func scope(of row: Reader) -> Scope { .reader(key: row.key) }

    private static let firstAdministrator = rows.sql("WHERE role = 'administrator' ORDER BY key LIMIT 1")

    /// The administrator who was first.
    static func firstAdministrator(in connection: Connection) throws(SQLiteError) -> Reader? {
        try connection.statement(firstAdministrator).first(row)
    }

    /// The key that the next reader gets: a command that makes one needs it for what comes with them.
    static func nextKey(in connection: Connection) throws(SQLiteError) -> Int64 {
        (try connection.number("SELECT seq FROM sqlite_sequence WHERE name = 'readers'") ?? 0) + 1
    }

    /// How many administrators there are.
    static func administrators(in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.number("SELECT count(*) FROM readers WHERE role = 'administrator'") ?? 0
    }
}

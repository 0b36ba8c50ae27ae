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

    /// How many administrators there are.
    static func administrators(in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.number("SELECT count(*) FROM readers WHERE role = 'administrator'") ?? 0
    }
}

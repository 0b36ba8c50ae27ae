/// What becomes of those of a table's rows that are a reader's when they leave.
enum ReaderEnd: Sendable {
    /// Some rows go, without a change; how many did.
    typealias Some = @Sendable (_ reader: Int64, _ limit: Int, Connection) throws(SQLiteError) -> Int

    /// Nothing is done for the table itself, because of this.
    case nothing(because: StaticString)
    /// Those that pass a condition on the reader `?1` go without a change; `by` says which columns tell one from another. What
    /// opens a way in goes at once.
    case rows(String, by: String = "rowid", atOnce: Bool = false)
    case some(Some)
}

extension StoredTable {
    /// What opens a way in for the reader `?1` goes with the reader.
    static let endsOfReaderAtOnce = all.reversed().compactMap { table -> SQL? in
        guard case .rows(let condition, _, true) = table.ofReader else { return nil }
        return SQL("DELETE FROM \(table.name) WHERE \(condition)")
    }

    /// What takes some rows of a reader away, table by table, those that refer to others first.
    static let endsOfReader: [ReaderEnd.Some] = all.reversed().compactMap { table in
        switch table.ofReader {
        case .nothing: return nil
        case .some(let end): return end
        case .rows(let condition, let columns, _): return some(of: table.name, where: condition, by: columns)
        }
    }

    private static func some(of table: String, where condition: String, by columns: String) -> ReaderEnd.Some {
        let sql = SQL(
            """
            DELETE FROM \(table) WHERE (\(columns)) IN (
                SELECT \(columns) FROM \(table) WHERE \(condition) LIMIT ?2)
            """)
        return { reader, limit, connection throws(SQLiteError) in
            try connection.statement(sql).bind(1, reader).bind(2, Int64(limit)).run()
            return connection.changedCount
        }
    }
}

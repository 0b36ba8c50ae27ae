/// The handling of a table's rows of a reader when the reader leaves.
enum ReaderDeletionPolicy: Sendable {
    /// A function that deletes some rows of a reader without logging changes, and returns their number.
    typealias Some = @Sendable (_ reader: Int64, _ limit: Int, SQLiteConnection) throws(SQLiteError) -> Int

    /// Nothing is done for the table itself, for this reason.
    case nothing(because: StaticString)
    /// The rows that satisfy a condition on the reader `?1` are deleted without changes; `by` contains the columns that
    /// identify a row. Credentials are deleted at once.
    case rows(String, by: String = "rowid", atOnce: Bool = false)
    case some(Some)

    /// The maximum number of resources that one slice deletes.
    private static let resourcesMax = 100

    /// Returns the policy for resources whose deletion changes more than their rows. `isOfReader` is the condition for
    /// those of the reader `?1`, with the limit `?2`.
    static func resources<Stored: ResourceTable>(
        _: Stored.Type, where isOfReader: StaticString
    ) -> ReaderDeletionPolicy {
        .some { reader, limit, connection throws(SQLiteError) in
            let ended = try Stored.matching(isOfReader, in: connection).bind(reader, min(limit, resourcesMax))
                .all(Stored.row)
            for row in ended {
                try Stored.delete(row, in: connection)
                // A deleted note otherwise keeps its row.
                try Stored.rows.delete(row, in: connection)
            }
            return ended.count
        }
    }
}

extension StoredTable {
    /// The statements that delete the credentials of the reader `?1` when the reader leaves.
    static let endsOfReaderAtOnce = all.reversed().compactMap { table -> SQLText? in
        guard case .rows(let condition, _, true) = table.ofReader else { return nil }
        return SQLText("DELETE FROM \(table.name) WHERE \(condition)")
    }

    /// The functions that delete a reader's rows, one for each table, a limited number at a time. Tables that refer to
    /// others come first.
    static let endsOfReader: [ReaderDeletionPolicy.Some] = all.reversed().compactMap { table in
        switch table.ofReader {
        case .nothing: return nil
        case .some(let end): return end
        case .rows(let condition, let columns, _): return some(of: table.name, where: condition, by: columns)
        }
    }

    private static func some(of table: String, where condition: String, by columns: String) -> ReaderDeletionPolicy.Some
    {
        let sql = SQLText(
            """
            DELETE FROM \(table) WHERE (\(columns)) IN (
                SELECT \(columns) FROM \(table) WHERE \(condition) LIMIT ?2)
            """)
        return { reader, limit, connection throws(SQLiteError) in
            try connection.statement(sql).bind(reader, Int64(limit)).run()
            return connection.changedCount
        }
    }
}

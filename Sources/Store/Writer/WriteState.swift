import Model

/// The state that a command can read and that its changes will change.
struct WriteState: ~Copyable {
    let db: SQLiteConnection
    let recentReadings: RecentReadings
    /// A Boolean value indicating whether every reader may change and delete every book.
    let isCatalogueOpen: Bool
    /// The current day by the retention clock, in days since 1970-01-01.
    let today: Int64

    /// Returns the result of a query, with SQLite errors converted to `RequestError`.
    func query<Result>(_ result: @autoclosure () throws(SQLiteError) -> Result) throws(RequestError) -> Result {
        do throws(SQLiteError) { return try result() } catch { throw error.asRequestError }
    }

    /// Returns the row, or throws `notFound` if it is missing or does not satisfy the condition.
    func found<Row>(
        _ row: @autoclosure () throws(SQLiteError) -> Row?, where isMeant: (Row) -> Bool = { _ in true }
    ) throws(RequestError) -> Row {
        guard let row = try query(row()), isMeant(row) else { throw .notFound }
        return row
    }

    /// Returns the changes that delete the rows that a query finds.
    func ending<Stored: ResourceTable>(
        _: Stored.Type, _ rows: @autoclosure () throws(SQLiteError) -> [Stored.Row]
    ) throws(RequestError) -> [any CommandChange] {
        try query(rows()).map { RowWrite<Stored>(before: $0, after: nil) }
    }
}

import Model

/// A wish to change something: what is to be decided of the state that it meets and of who asks. It reads, checks rights and
/// rules, and proposes; the store applies. Decided on the writer thread, inside the transaction that will hold its changes.
package struct Command: Sendable {
    /// The proposals, or why there are none. Where a batch is done again it is asked again, and proposes the same.
    let decide: @Sendable (borrowing WriteState, Asker) throws(LecternError) -> Decision
    /// Where there are several: those.
    let batch: Batch?

    init(
        batch: Batch? = nil, decide: @escaping @Sendable (borrowing WriteState, Asker) throws(LecternError) -> Decision
    ) {
        (self.decide, self.batch) = (decide, batch)
    }
}

/// What a command may read: the state that its proposals will change.
struct WriteState: ~Copyable {
    let db: Connection
    let recentReadings: RecentReadings
    /// See `StoreConfiguration.isCatalogueOpen`.
    let isCatalogueOpen: Bool

    /// The result of a query, with SQLite's errors as the house's.
    func query<Result>(_ body: (Connection) throws(SQLiteError) -> Result) throws(LecternError) -> Result {
        do throws(SQLiteError) { return try body(db) } catch { throw error.asLecternError }
    }

    /// The same, of what one expression says.
    func read<Result>(_ result: @autoclosure () throws(SQLiteError) -> Result) throws(LecternError) -> Result {
        do throws(SQLiteError) { return try result() } catch { throw error.asLecternError }
    }

    /// The row that is read; not found where there is none, or it is not one of those that the command is about.
    func found<Row>(
        _ row: @autoclosure () throws(SQLiteError) -> Row?, where isMeant: (Row) -> Bool = { _ in true }
    ) throws(LecternError) -> Row {
        guard let row = try read(row()), isMeant(row) else { throw .notFound }
        return row
    }

    /// The end of all rows that are read.
    func ending<Rows: Table>(
        _: Rows.Type, _ rows: @autoclosure () throws(SQLiteError) -> [Rows.Row]
    ) throws(LecternError) -> [any Proposal] {
        try read(rows()).map { Write<Rows>(before: $0, after: nil) }
    }
}

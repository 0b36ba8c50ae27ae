import Model

/// The record that an imported reading refers to a latest entry whose line has not been imported yet.
struct AwaitedLatestEntry: ProposedChange {
    let reading: ResourceID
    let isThere: Bool

    func apply(to transaction: inout WriteTransaction, _ moment: ChangeMoment) throws(SQLiteError) -> CommandOutcome? {
        let db = transaction.connection
        let statement =
            isThere
            ? try db.statement(
                "DELETE FROM awaited_entries WHERE reading = (SELECT key FROM readings WHERE id = ?1)")
            : try db.statement("INSERT INTO awaited_entries (reading) SELECT key FROM readings WHERE id = ?1")
        try statement.bind(1, reading).run()
        return nil
    }

    /// Returns a Boolean value indicating whether a reading, by its key, waits for its latest entry.
    static func isOne(of reading: Int64, in connection: Connection) throws(SQLiteError) -> Bool {
        try connection.statement("SELECT 1 FROM awaited_entries WHERE reading = ?1").bind(1, reading).first { _ in true
        }
            ?? false
    }
}

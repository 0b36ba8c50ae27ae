import CSQLite

/// The deletion of entries of deleted readings, in slices between batches, without events. After a restart it
/// continues. Queries do not find these entries, because they join the reading.
struct DeletedReadingCleanup {
    private let connection: SQLiteConnection
    private let sliceMax: Int

    init(_ connection: SQLiteConnection, _ configuration: StoreConfiguration) {
        self.connection = connection
        sliceMax = configuration.deletedEntriesSliceMax
    }

    /// Deletes one slice, if there is one. Returns `true` if more entries may be left.
    func runMaintenance() throws(SQLiteError) -> Bool {
        guard let reading = try connection.number("SELECT reading FROM deleted_readings LIMIT 1") else { return false }
        try connection.run("BEGIN IMMEDIATE")
        try connection.statement(
            "DELETE FROM entries WHERE id IN (SELECT id FROM entries WHERE reading = ?1 LIMIT ?2)"
        ).bind(reading, Int64(sliceMax)).run()
        if sqlite3_changes(connection.handle) < sliceMax {
            try connection.statement("DELETE FROM deleted_readings WHERE reading = ?1").bind(reading).run()
        }
        try connection.run("COMMIT")
        return true
    }
}

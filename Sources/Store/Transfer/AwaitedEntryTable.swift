import Model

/// The table of imported readings that refer to a latest entry whose line has not been imported yet.
enum AwaitedEntryTable {
    /// Returns the proposal that records that a reading waits for its latest entry.
    static func insertion(of reading: ResourceID) -> UnloggedWrite {
        UnloggedWrite("INSERT INTO awaited_entries (reading) SELECT key FROM readings WHERE id = ?1", .id(reading))
    }

    /// Returns the proposal that records that the latest entry is there.
    static func deletion(of reading: ResourceID) -> UnloggedWrite {
        UnloggedWrite(
            "DELETE FROM awaited_entries WHERE reading = (SELECT key FROM readings WHERE id = ?1)", .id(reading))
    }

    /// Returns a Boolean value indicating whether a reading, by its key, waits for its latest entry.
    static func has(_ reading: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        let statement = try connection.statement("SELECT 1 FROM awaited_entries WHERE reading = ?1")
        return try statement.bind(reading).hasRow()
    }
}

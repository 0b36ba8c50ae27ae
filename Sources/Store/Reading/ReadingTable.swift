import Model

/// The table of readings.
enum ReadingTable: ResourceTable {
    static let rows = TableMapping<Reading>("readings")

    static func scope(of row: Reading) -> ChangeScope { .reader(key: row.readerKey) }

    private static let ofReader = SQLText(
        """
        SELECT \(rows.columns), EXISTS (SELECT 1 FROM members WHERE members.reader = readings.reader)
        FROM \(rows.joins) WHERE readings.id = ?1 AND readings.reader = ?2
        """)

    /// Returns a reading of a reader, and whether the reader is in a club, in one query for commands.
    static func find(
        _ id: ResourceID, of reader: RowReference, in connection: SQLiteConnection
    ) throws(SQLiteError) -> Reading? {
        try connection.statement(ofReader).bind(id, reader.key).first {
            statement throws(SQLiteError) in
            var reading = try row(statement)
            reading.isOfMember = statement.integer(rows.width) != 0
            return reading
        }
    }

    /// Returns the key of a reading's book.
    static func book(of key: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Int64? {
        try connection.statement("SELECT book FROM readings WHERE key = ?1").bind(key).first { $0.integer(0) }
    }

    /// Returns the greatest `number` of a reader's readings of a book, or 0.
    static func greatestNumber(reader: Int64, book: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Int32
    {
        try connection.statement("SELECT max(number) FROM readings WHERE reader = ?1 AND book = ?2")
            .bind(reader, book).first { $0.int32(0) } ?? 0
    }

    /// Returns a reader's open reading of a book, or else the latest one; if several are open, the latest. A reading
    /// that was finished before it was recorded counts by its own dates.
    static func current(
        reader: RowReference, book: Int64, in connection: SQLiteConnection
    ) throws(SQLiteError) -> Reading? {
        let id = try connection.statement(
            """
            SELECT id FROM readings WHERE reader = ?1 AND book = ?2
            ORDER BY (state = 'reading' OR state = 'paused') DESC,
                min(created_at, ifnull(started_at, created_at), ifnull(finished_at, created_at)) DESC, number DESC LIMIT 1
            """
        ).bind(reader.key, book).first { $0.id(0) }
        return try id.flatMap { id throws(SQLiteError) in try find(id, of: reader, in: connection) }
    }

    /// Returns the first reading of a book that ended at or after `instant`. An abandoned reading ends with its latest
    /// entry.
    static func endedFirst(
        after instant: Instant, reader: RowReference, book: Int64, in connection: SQLiteConnection
    ) throws(SQLiteError) -> Reading? {
        let id = try connection.statement(
            """
            SELECT id FROM readings WHERE reader = ?1 AND book = ?2 AND (state = 'finished' OR state = 'abandoned')
                AND ifnull(finished_at, latest_entry_at) >= ?3
            ORDER BY ifnull(finished_at, latest_entry_at), number LIMIT 1
            """
        ).bind(reader.key, book, instant).first { $0.id(0) }
        return try id.flatMap { id throws(SQLiteError) in try find(id, of: reader, in: connection) }
    }

    static func insert(_ reading: Reading, in connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        if try greatestNumber(reader: reading.readerKey, book: reading.bookKey, in: connection) == 0 {
            try BookWordIndex.count(1, readersOf: reading.bookKey, in: connection)
        }
        return try rows.insert(reading, in: connection)
    }

    /// Deletes a reading. Its entries are deleted later, but no query finds them: see `DeletedReadingCleanup`.
    static func delete(_ reading: Reading, in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.statement(
            "INSERT INTO deleted_readings (reading) SELECT ?1 WHERE EXISTS (SELECT 1 FROM entries WHERE reading = ?1)"
        ).bind(reading.key).run()
        try rows.delete(reading, in: connection)
        if try greatestNumber(reader: reading.readerKey, book: reading.bookKey, in: connection) == 0 {
            try BookWordIndex.count(-1, readersOf: reading.bookKey, in: connection)
        }
    }
}

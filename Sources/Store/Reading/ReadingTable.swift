import Model

/// The table of readings.
enum ReadingTable: ExportedTable {
    static let rows = TableMapping<Reading>("readings")

    static func scope(of row: Reading) -> ChangeScope { .reader(key: row.readerKey) }

    static let endings: [ResourceEnding] = []

    /// Returns the greatest `number` of a reader's readings of a book, or 0.
    static func greatestNumber(reader: Int64, book: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Int32
    {
        try connection.statement("SELECT max(number) FROM readings WHERE reader = ?1 AND book = ?2")
            .bind(reader, book).first { $0.int32(0) } ?? 0
    }

    /// Returns a reader's open reading of a book, or else the latest one; if several are open, the latest. A reading
    /// that was finished before it was recorded counts by its own dates.
    static func current(reader: Int64, book: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Reading? {
        try matching(
            """
            readings.reader = ?1 AND readings.book = ?2
            ORDER BY (readings.state = 'reading' OR readings.state = 'paused') DESC,
                min(readings.created_at, ifnull(readings.started_at, readings.created_at),
                    ifnull(readings.finished_at, readings.created_at)) DESC, readings.number DESC LIMIT 1
            """, in: connection
        ).bind(reader, book).first(row)
    }

    /// Returns the first reading of a book that ended at or after `instant`. An abandoned reading ends with its latest
    /// entry.
    static func endedFirst(
        after instant: Instant, reader: Int64, book: Int64, in connection: SQLiteConnection
    ) throws(SQLiteError) -> Reading? {
        try matching(
            """
            readings.reader = ?1 AND readings.book = ?2 AND (readings.state = 'finished' OR readings.state = 'abandoned')
                AND ifnull(readings.finished_at, readings.latest_entry_at) >= ?3
            ORDER BY ifnull(readings.finished_at, readings.latest_entry_at), readings.number LIMIT 1
            """, in: connection
        ).bind(reader, book, instant).first(row)
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

import Model

/// Rows of readings.
enum ReadingTable: Table {
    /// What `row` reads, of `readings` joined with `readers` and `books`.
    static let columns = """
        readings.key, readings.id, readings.version, readings.reader, readers.id, readings.book, books.id, readings.number, \
        readings.state, readings.progress, readings.page, readings.latest_entry, readings.latest_entry_at, \
        readings.finished_at, readings.created_at, readings.updated_at, readings.page_count
        """

    static func row(_ statement: Statement) -> Reading {
        var reading = Reading(
            id: statement.id(1), reader: (statement.id(4), statement.integer(3)),
            book: (statement.id(6), statement.integer(5)), number: statement.int32(7), createdAt: statement.instant(14))
        reading.key = statement.integer(0)
        reading.version = statement.integer(2)
        reading.state = Reading.State(rawValue: statement.text(8)) ?? .reading
        reading.progress = Progress(clamping: statement.integer(9))
        reading.page = statement.optionalInt32(10)
        reading.latestEntry = statement.optionalID(11)
        reading.latestEntryAt = statement.optionalInstant(12)
        reading.finishedAt = statement.optionalInstant(13)
        reading.updatedAt = statement.instant(15)
        reading.pageCount = statement.optionalInt32(16)
        return reading
    }

    static func find(_ id: ResourceID, in connection: Connection) throws(SQLiteError) -> Reading? {
        try connection.statement(
            """
            SELECT readings.key, readings.id, readings.version, readings.reader, readers.id, readings.book, books.id,
                readings.number, readings.state, readings.progress, readings.page, readings.latest_entry,
                readings.latest_entry_at, readings.finished_at, readings.created_at, readings.updated_at, readings.page_count
            FROM readings JOIN readers ON readers.key = readings.reader JOIN books ON books.key = readings.book
            WHERE readings.id = ?1
            """
        ).bind(1, id).first(row)
    }

    /// A reading of that reader's, with whether the reader is in a club. What a command decides from is read once.
    static func find(
        _ id: ResourceID, of reader: (id: ResourceID, key: Int64), in connection: Connection
    ) throws(SQLiteError) -> Reading? {
        try connection.statement(
            """
            SELECT readings.key, readings.id, readings.version, readings.reader, ?3, readings.book, books.id,
                readings.number, readings.state, readings.progress, readings.page, readings.latest_entry,
                readings.latest_entry_at, readings.finished_at, readings.created_at, readings.updated_at,
                readings.page_count, EXISTS (SELECT 1 FROM members WHERE members.reader = readings.reader)
            FROM readings JOIN books ON books.key = readings.book WHERE readings.id = ?1 AND readings.reader = ?2
            """
        ).bind(1, id).bind(2, reader.key).bind(3, reader.id).first {
            var reading = row($0)
            reading.isOfMember = $0.integer(17) != 0
            return reading
        }
    }

    /// The greatest `number` of a reader's readings of a book; 0 when there is none.
    static func greatestNumber(reader: Int64, book: Int64, in connection: Connection) throws(SQLiteError) -> Int32 {
        try connection.statement("SELECT max(number) FROM readings WHERE reader = ?1 AND book = ?2")
            .bind(1, reader).bind(2, book).first { $0.int32(0) } ?? 0
    }

    /// A reader's reading of a book that is open, or else the latest one; of several open ones the latest.
    static func current(
        reader: (id: ResourceID, key: Int64), book: Int64, in connection: Connection
    ) throws(SQLiteError) -> Reading? {
        let id = try connection.statement(
            """
            SELECT id FROM readings WHERE reader = ?1 AND book = ?2
            ORDER BY (state = 'reading' OR state = 'paused') DESC, number DESC LIMIT 1
            """
        ).bind(1, reader.key).bind(2, book).first { $0.id(0) }
        return try id.flatMap { id throws(SQLiteError) in try find(id, of: reader, in: connection) }
    }

    /// It gets no key that entries on their way out still have.
    static func insert(_ reading: Reading, in connection: Connection) throws(SQLiteError) -> Int64 {
        let statement = try connection.statement(
            """
            INSERT INTO readings (version, state, progress, page, latest_entry, latest_entry_at, finished_at, updated_at,
                page_count, id, reader, book, number, created_at, key)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, (
                SELECT max(reading) + 1 FROM doomed_readings
                HAVING max(reading) >= ifnull((SELECT max(key) FROM readings), 0)))
            """)
        try bind(reading, to: statement).bind(10, reading.id).bind(11, reading.readerKey).bind(12, reading.bookKey)
            .bind(13, Int64(reading.number)).bind(14, reading.createdAt).run()
        return connection.lastInsertedKey
    }

    static func update(_ reading: Reading, changed: FieldSet, in connection: Connection) throws(SQLiteError) {
        let statement = try connection.statement(
            """
            UPDATE readings SET version = ?1, state = ?2, progress = ?3, page = ?4, latest_entry = ?5,
                latest_entry_at = ?6, finished_at = ?7, updated_at = ?8, page_count = ?9
            WHERE key = ?10
            """)
        try bind(reading, to: statement).bind(10, reading.key).run()
    }

    /// Its entries are gone with it for everybody, and go afterwards: see `DoomedEntries`.
    static func delete(_ reading: Reading, in connection: Connection) throws(SQLiteError) {
        try connection.statement(
            "INSERT INTO doomed_readings (reading) SELECT ?1 WHERE EXISTS (SELECT 1 FROM entries WHERE reading = ?1)"
        ).bind(1, reading.key).run()
        try connection.statement("DELETE FROM readings WHERE key = ?1").bind(1, reading.key).run()
    }

    static func scope(of row: Reading, key: Int64, in connection: Connection) -> Scope { .reader(key: row.readerKey) }

    private static func bind(_ reading: Reading, to statement: Statement) -> Statement {
        statement.bind(1, reading.version).bind(2, reading.state.rawValue).bind(3, Int64(reading.progress.millionths))
            .bind(4, reading.page).bind(5, reading.latestEntry).bind(6, reading.latestEntryAt)
            .bind(7, reading.finishedAt).bind(8, reading.updatedAt).bind(9, reading.pageCount)
    }

    static func applied(_ write: Write<Self>, _ outcome: Outcome?, _ moment: Moment, _ readings: RecentReadings) {
        guard let id = (write.before ?? write.after)?.id else { return }
        guard write.before != nil, var reading = write.after, let outcome else { return readings.learn(id, is: nil) }
        guard outcome.effect == .updated else { return }
        reading.version = outcome.version
        reading.updatedAt = moment.at
        readings.learn(id, is: reading)
    }
}

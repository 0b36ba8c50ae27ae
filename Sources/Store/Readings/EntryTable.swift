import Model

/// Rows of progress entries.
enum EntryTable: Table {
    static let columns = """
        entries.key, entries.id, entries.key, entries.reading, readings.id, entries.progress, entries.page, \
        entries.note, entries.device, entries.happened_at, entries.received_at, readings.reader
        """

    static func row(_ statement: Statement) -> Entry {
        var entry = Entry(
            id: statement.id(1), reading: (statement.id(4), statement.integer(3)), readerKey: statement.integer(11),
            progress: Progress(clamping: statement.integer(5)), page: statement.optionalInt32(6),
            note: statement.optionalText(7), device: statement.optionalText(8), happenedAt: statement.instant(9),
            receivedAt: statement.instant(10))
        entry.key = statement.integer(0)
        entry.version = statement.integer(2)
        return entry
    }

    static func find(_ id: ResourceID, in connection: Connection) throws(SQLiteError) -> Entry? {
        try connection.statement(
            """
            SELECT entries.key, entries.id, entries.key, entries.reading, readings.id, entries.progress, entries.page,
                entries.note, entries.device, entries.happened_at, entries.received_at, readings.reader
            FROM entries JOIN readings ON readings.key = entries.reading WHERE entries.id = ?1
            """
        ).bind(1, id).first(row)
    }

    /// The entry that took place last, and of several the one received last, leaving one out.
    ///
    /// Goes back from the one that says that it happened last: nothing takes place later than it says, so hardly ever more
    /// than two are looked at.
    static func latest(
        of reading: Int64, except key: Int64, at now: Instant, in connection: Connection
    ) throws(SQLiteError) -> Entry? {
        let rows = try connection.statement(
            """
            SELECT entries.key, entries.id, entries.key, entries.reading, readings.id, entries.progress, entries.page,
                entries.note, entries.device, entries.happened_at, entries.received_at, readings.reader
            FROM entries JOIN readings ON readings.key = entries.reading
            WHERE entries.reading = ?1 AND entries.key <> ?2
            ORDER BY entries.happened_at DESC, entries.key DESC
            """
        ).bind(1, reading).bind(2, key)
        defer { rows.reset() }
        var latest: Entry?
        while try rows.step() {
            let entry = row(rows)
            guard let found = latest else {
                latest = entry
                continue
            }
            let (new, old) = (entry.takesPlace(now), found.takesPlace(now))
            if entry.happenedAt < old { break }
            if (new, entry.key) > (old, found.key) { latest = entry }
        }
        return latest
    }

    static func insert(_ entry: Entry, in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.statement(
            """
            INSERT INTO entries (id, key, reading, progress, page, note, device, happened_at, received_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """
        ).bind(1, entry.id).bind(2, entry.version).bind(3, entry.readingKey).bind(4, Int64(entry.progress.millionths))
            .bind(5, entry.page).bind(6, entry.note).bind(7, entry.device).bind(8, entry.happenedAt)
            .bind(9, entry.receivedAt).run()
        return entry.version
    }

    /// Never asked for: an entry does not change.
    static func update(_ entry: Entry, changed: FieldSet, in connection: Connection) {}

    static func delete(_ entry: Entry, in connection: Connection) throws(SQLiteError) {
        try connection.statement("DELETE FROM entries WHERE id = ?1").bind(1, entry.id).run()
    }

    static func scope(of row: Entry, key: Int64, in connection: Connection) -> Scope { .reader(key: row.readerKey) }
}

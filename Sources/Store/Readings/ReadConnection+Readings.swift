package import Model

extension ReadConnection {
    /// The readings of a reader, newest first. One that is `known` in its version is not read.
    package func readings(
        of reader: Int64, _ filter: ReadingFilter, after cursor: String?, limit: Int, known: Listed<Reading>.Known
    ) throws(LecternError) -> Page<Listed<Reading>> {
        try shelf(of: reader, filter, version: "readings.version", from: "readings", after: cursor, limit: limit, known)
        {
            id, db throws(SQLiteError) in try ReadingTable.find(id, in: db)
        }
    }

    /// The cards of a reader's readings, newest reading first. One that is `known` in its version is not read.
    package func cards(
        of reader: Int64, _ filter: ReadingFilter, after cursor: String?, limit: Int, known: Listed<Card>.Known
    ) throws(LecternError) -> Page<Listed<Card>> {
        // The later of what a card's parts came to be by, as `Card` has it.
        try shelf(
            of: reader, filter, version: "max(readings.version, books.card_version)",
            from: "readings JOIN books ON books.key = readings.book", after: cursor, limit: limit, known
        ) {
            id, db throws(SQLiteError) in
            guard let reading = try ReadingTable.find(id, in: db),
                let book = try BookTable.find(key: reading.bookKey, in: db)
            else { return nil }
            return Card(reading: reading, book: book)
        }
    }

    /// What the text of a list of readings, or of their cards, depends on.
    private struct Shape: Hashable, Sendable {
        let version: String
        let rows: String
        let hasState: Bool
        let hasBook: Bool
    }

    private static let shelves = Variants<Shape> { shape in
        """
        SELECT readings.key, readings.id, \(shape.version) FROM \(shape.rows)
        WHERE readings.reader = ?1 AND readings.key < ?2
            \(shape.hasState ? "AND readings.state = ?3" : "")
            \(shape.hasBook ? "AND readings.book = (SELECT key FROM books WHERE id = ?4)" : "")
        ORDER BY readings.key DESC LIMIT ?5
        """
    }

    /// What shows a reader's readings, one item a reading. Only ids and versions are read of what is known.
    private func shelf<Value: Resource>(
        of reader: Int64, _ filter: ReadingFilter, version: String, from rows: String, after cursor: String?,
        limit: Int,
        _ known: Listed<Value>.Known, _ find: (ResourceID, Connection) throws(SQLiteError) -> Value?
    ) throws(LecternError) -> Page<Listed<Value>> {
        let list = PageCursor.List(kind: .reading)
        let cursor = try PageCursor(cursor, of: list)
        let shape = Shape(version: version, rows: rows, hasState: filter.state != nil, hasBook: filter.book != nil)
        return try query { db throws(SQLiteError) in
            let statement = try db.statement(Self.shelves, shape)
            statement.bind(1, reader).bind(2, cursor?.key ?? .max).bind(5, Int64(limit + 1))
            if let state = filter.state { statement.bind(3, state.rawValue) }
            if let book = filter.book { statement.bind(4, book) }
            return try Page(of: statement, limit: limit) { row throws(SQLiteError) in
                try Listed(row, known, in: db, find)
            } cursor: {
                PageCursor(list, key: $0.integer(0))
            }
        }
    }

    /// The entries of a reading, the one that happened last first. One that is `known` in its version is not read.
    package func entries(
        of reading: Int64, after cursor: String?, limit: Int, known: Listed<Entry>.Known
    ) throws(LecternError) -> Page<Listed<Entry>> {
        let list = PageCursor.List(kind: .entry, sort: .integer)
        let cursor = try PageCursor(cursor, of: list)
        var happened = Int64.max
        if let cursor, case .integer(let value) = cursor.value { happened = value }
        return try query { db throws(SQLiteError) in
            // All of it is in the index.
            let statement = try db.statement(
                """
                SELECT key, id, key, happened_at FROM entries
                WHERE reading = ?1 AND (happened_at, key) < (?2, ?3)
                ORDER BY happened_at DESC, key DESC LIMIT ?4
                """)
            statement.bind(1, reading).bind(2, happened).bind(3, cursor?.key ?? .max).bind(4, Int64(limit + 1))
            return try Page(of: statement, limit: limit) { row throws(SQLiteError) in
                try Listed(row, known, in: db) { id, db throws(SQLiteError) in try EntryTable.find(id, in: db) }
            } cursor: {
                PageCursor(list, .integer($0.integer(3)), key: $0.integer(0))
            }
        }
    }
}

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

    /// What shows a reader's readings, one item a reading. Only ids and versions are read of what is known.
    private func shelf<Value: Resource>(
        of reader: Int64, _ filter: ReadingFilter, version: String, from rows: String, after cursor: String?,
        limit: Int,
        _ known: Listed<Value>.Known, _ find: (ResourceID, Connection) throws(SQLiteError) -> Value?
    ) throws(LecternError) -> Page<Listed<Value>> {
        let cursor = try PageCursor(cursor, of: .readings)
        return try query { db throws(SQLiteError) in
            let shape = (filter.state == nil ? 0 : 1) + (filter.book == nil ? 0 : 2)
            let statement = try db.statement(shape: Connection.Shape.of(Value.kind, 20 + shape)) {
                Self.sql(filter, version: version, from: rows)
            }
            statement.bind(1, reader).bind(2, cursor?.key ?? .max).bind(5, Int64(limit + 1))
            if let state = filter.state { statement.bind(3, state.rawValue) }
            if let book = filter.book { statement.bind(4, book) }
            return try Page(of: statement, limit: limit) { row throws(SQLiteError) in
                try Listed(row, known, in: db, find)
            } cursor: {
                PageCursor(.readings, key: $0.integer(0))
            }
        }
    }

    private static func sql(_ filter: ReadingFilter, version: String, from rows: String) -> String {
        """
        SELECT readings.key, readings.id, \(version) FROM \(rows)
        WHERE readings.reader = ?1 AND readings.key < ?2
            \(filter.state == nil ? "" : "AND readings.state = ?3")
            \(filter.book == nil ? "" : "AND readings.book = (SELECT key FROM books WHERE id = ?4)")
        ORDER BY readings.key DESC LIMIT ?5
        """
    }

    /// The entries of a reading, the one that happened last first. One that is `known` in its version is not read.
    package func entries(
        of reading: Int64, after cursor: String?, limit: Int, known: Listed<Entry>.Known
    ) throws(LecternError) -> Page<Listed<Entry>> {
        let cursor = try PageCursor(cursor, of: .entries)
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
                PageCursor(.entries, .integer($0.integer(3)), key: $0.integer(0))
            }
        }
    }

    /// All readers, newest first.
    package func readers(after cursor: String?, limit: Int) throws(LecternError) -> Page<Reader> {
        let cursor = try PageCursor(cursor, of: .readers)
        return try query { db throws(SQLiteError) in
            let statement = try db.statement(shape: Connection.Shape.readers) {
                "SELECT \(ReaderTable.columns) FROM readers WHERE key < ?1 ORDER BY key DESC LIMIT ?2"
            }
            statement.bind(1, cursor?.key ?? .max).bind(2, Int64(limit + 1))
            return try Page(of: statement, limit: limit, ReaderTable.row) { PageCursor(.readers, key: $0.integer(0)) }
        }
    }

    /// The tokens of a reader, or of all, newest first.
    package func tokens(of reader: Int64?, after cursor: String?, limit: Int) throws(LecternError) -> Page<Token> {
        let cursor = try PageCursor(cursor, of: .tokens)
        return try query { db throws(SQLiteError) in
            let statement = try db.statement(shape: Connection.Shape.tokens + (reader == nil ? 0 : 1)) {
                """
                SELECT \(TokenTable.columns) FROM tokens JOIN readers ON readers.key = tokens.reader
                WHERE tokens.key < ?1 \(reader == nil ? "" : "AND tokens.reader = ?3") ORDER BY tokens.key DESC LIMIT ?2
                """
            }
            statement.bind(1, cursor?.key ?? .max).bind(2, Int64(limit + 1))
            if let reader { statement.bind(3, reader) }
            return try Page(of: statement, limit: limit, TokenTable.row) { PageCursor(.tokens, key: $0.integer(0)) }
        }
    }
}

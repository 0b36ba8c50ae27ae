public import Model

extension ReadConnection {
    /// The readings of a reader, newest first.
    public func readings(
        of reader: Int64, _ filter: ReadingFilter, after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<Reading> {
        try shelf(ReadingTable.columns, of: reader, filter, after: cursor, limit: limit, ReadingTable.row) { $0.key }
    }

    /// The cards of a reader's readings, newest reading first.
    public func cards(
        of reader: Int64, _ filter: ReadingFilter, after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<Card> {
        let page = try readings(of: reader, filter, after: cursor, limit: limit)
        var cards: [Card] = []
        for reading in page.items {
            if let book = try query({ db throws(SQLiteError) in try BookTable.find(key: reading.bookKey, in: db) }) {
                cards.append(Card(reading: reading, book: book))
            }
        }
        return Page(items: cards, next: page.next)
    }

    private func shelf<Item: Sendable>(
        _ columns: String, of reader: Int64, _ filter: ReadingFilter, after cursor: String?, limit: Int,
        _ row: (Statement) -> Item, key: (Item) -> Int64
    ) throws(LecternError) -> Page<Item> {
        let cursor = try PageCursor(cursor)
        let sql = """
            SELECT \(columns) FROM readings JOIN readers ON readers.key = readings.reader JOIN books ON books.key = readings.book
            WHERE readings.reader = ?1 AND readings.key < ?2
                \(filter.state == nil ? "" : "AND readings.state = ?3") \(filter.book == nil ? "" : "AND books.id = ?4")
            ORDER BY readings.key DESC LIMIT ?5
            """
        let rows = try query { db throws(SQLiteError) in
            let statement = try db.statement(composed: sql).bind(1, reader).bind(2, cursor?.key ?? .max).bind(
                5, Int64(limit + 1))
            if let state = filter.state { statement.bind(3, state.rawValue) }
            if let book = filter.book { statement.bind(4, book) }
            return try statement.all(row)
        }
        return Page(rows, limit: limit) { PageCursor(.none, key: key($0)) }
    }

    /// The entries of a reading, the one that happened last first.
    public func entries(of reading: Int64, after cursor: String?, limit: Int) throws(LecternError) -> Page<Entry> {
        let cursor = try PageCursor(cursor)
        var happened = Int64.max
        if let cursor, case .integer(let value) = cursor.value { happened = value }
        let sql = """
            SELECT \(EntryTable.columns) FROM entries JOIN readings ON readings.key = entries.reading
            WHERE entries.reading = ?1 AND (entries.happened_at, entries.key) < (?2, ?3)
            ORDER BY entries.happened_at DESC, entries.key DESC LIMIT ?4
            """
        let rows = try query { db throws(SQLiteError) in
            try db.statement(composed: sql).bind(1, reading).bind(2, happened).bind(3, cursor?.key ?? .max)
                .bind(4, Int64(limit + 1)).all(EntryTable.row)
        }
        return Page(rows, limit: limit) { PageCursor(.integer($0.happenedAt.milliseconds), key: $0.key) }
    }

    /// All readers, newest first.
    public func readers(after cursor: String?, limit: Int) throws(LecternError) -> Page<Reader> {
        let cursor = try PageCursor(cursor)
        let sql = "SELECT \(ReaderTable.columns) FROM readers WHERE key < ?1 ORDER BY key DESC LIMIT ?2"
        let rows = try query { db throws(SQLiteError) in
            try db.statement(composed: sql).bind(1, cursor?.key ?? .max).bind(2, Int64(limit + 1)).all(ReaderTable.row)
        }
        return Page(rows, limit: limit) { PageCursor(.none, key: $0.key) }
    }

    /// The tokens of a reader, or of all, newest first.
    public func tokens(of reader: Int64?, after cursor: String?, limit: Int) throws(LecternError) -> Page<Token> {
        let cursor = try PageCursor(cursor)
        let sql = """
            SELECT \(TokenTable.columns) FROM tokens JOIN readers ON readers.key = tokens.reader
            WHERE tokens.key < ?1 \(reader == nil ? "" : "AND tokens.reader = ?2") ORDER BY tokens.key DESC LIMIT ?3
            """
        let rows = try query { db throws(SQLiteError) in
            let statement = try db.statement(composed: sql).bind(1, cursor?.key ?? .max).bind(3, Int64(limit + 1))
            if let reader { statement.bind(2, reader) }
            return try statement.all(TokenTable.row)
        }
        return Page(rows, limit: limit) { PageCursor(.none, key: $0.key) }
    }
}

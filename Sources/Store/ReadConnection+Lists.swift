public import Model

extension ReadConnection {
    /// The readings of a reader, newest first.
    public func readings(
        of reader: Int64, _ filter: ReadingFilter, after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<Reading> {
        let cursor = try PageCursor(cursor, of: .readings)
        return try query { db throws(SQLiteError) in
            let shape = Connection.Shape.readings + (filter.state == nil ? 0 : 1) + (filter.book == nil ? 0 : 2)
            let statement = try db.statement(shape: shape) { Self.sql(filter) }
            statement.bind(1, reader).bind(2, cursor?.key ?? .max).bind(5, Int64(limit + 1))
            if let state = filter.state { statement.bind(3, state.rawValue) }
            if let book = filter.book { statement.bind(4, book) }
            return try Page(of: statement, limit: limit, ReadingTable.row) { PageCursor(.readings, key: $0.integer(0)) }
        }
    }

    private static func sql(_ filter: ReadingFilter) -> String {
        """
        SELECT \(ReadingTable.columns) FROM readings JOIN readers ON readers.key = readings.reader
        JOIN books ON books.key = readings.book
        WHERE readings.reader = ?1 AND readings.key < ?2
            \(filter.state == nil ? "" : "AND readings.state = ?3")
            \(filter.book == nil ? "" : "AND readings.book = (SELECT key FROM books WHERE id = ?4)")
        ORDER BY readings.key DESC LIMIT ?5
        """
    }

    /// The cards of a reader's readings, newest reading first.
    public func cards(
        of reader: Int64, _ filter: ReadingFilter, after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<Card> {
        let page = try readings(of: reader, filter, after: cursor, limit: limit)
        var cards: [Card] = []
        cards.reserveCapacity(page.items.count)
        for reading in page.items {
            if let book = try query({ db throws(SQLiteError) in try BookTable.find(key: reading.bookKey, in: db) }) {
                cards.append(Card(reading: reading, book: book))
            }
        }
        return Page(items: cards, next: page.next)
    }

    /// The entries of a reading, the one that happened last first.
    public func entries(of reading: Int64, after cursor: String?, limit: Int) throws(LecternError) -> Page<Entry> {
        let cursor = try PageCursor(cursor, of: .entries)
        var happened = Int64.max
        if let cursor, case .integer(let value) = cursor.value { happened = value }
        return try query { db throws(SQLiteError) in
            let statement = try db.statement(shape: Connection.Shape.entries) {
                """
                SELECT \(EntryTable.columns) FROM entries JOIN readings ON readings.key = entries.reading
                WHERE entries.reading = ?1 AND (entries.happened_at, entries.key) < (?2, ?3)
                ORDER BY entries.happened_at DESC, entries.key DESC LIMIT ?4
                """
            }
            statement.bind(1, reading).bind(2, happened).bind(3, cursor?.key ?? .max).bind(4, Int64(limit + 1))
            return try Page(of: statement, limit: limit, EntryTable.row) {
                PageCursor(.entries, .integer($0.integer(9)), key: $0.integer(0))
            }
        }
    }

    /// All readers, newest first.
    public func readers(after cursor: String?, limit: Int) throws(LecternError) -> Page<Reader> {
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
    public func tokens(of reader: Int64?, after cursor: String?, limit: Int) throws(LecternError) -> Page<Token> {
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

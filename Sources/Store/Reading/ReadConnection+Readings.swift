package import Model

extension ReadConnection {
    /// Returns a reading of any reader, or `nil`. The caller must check whose it is.
    package func reading(_ id: ResourceID) throws(RequestError) -> Reading? {
        try query(ReadingTable.find(id, in: db))
    }

    /// Returns an entry of any reader, or `nil`. The caller must check whose it is.
    package func entry(_ id: ResourceID) throws(RequestError) -> Entry? {
        try query(EntryTable.find(id, in: db))
    }

    /// Returns the readings of a reader, newest first. With `bestFirst`, returns the best matches of the search first.
    /// A reading whose representation `known` returns from the cache is sent from there and not read from the database.
    package func readings(
        of reader: Int64, _ filter: ListFilter, bestFirst: Bool = false, after cursor: String?, limit: Int,
        known: CachedOrReadItem<Reading>.Known
    ) throws(RequestError) -> ListPage<CachedOrReadItem<Reading>> {
        try shelf(of: reader, filter, bestFirst, areCards: false, after: cursor, limit: limit, known) {
            id, db throws(SQLiteError) in try ReadingTable.find(id, in: db)
        }
    }

    /// Returns the cards of a reader's readings, in the same order. A card whose representation `known` returns from the
    /// cache is not read from the database.
    package func cards(
        of reader: Int64, _ filter: ListFilter, bestFirst: Bool = false, after cursor: String?, limit: Int,
        known: CachedOrReadItem<BookCard>.Known
    ) throws(RequestError) -> ListPage<CachedOrReadItem<BookCard>> {
        try shelf(of: reader, filter, bestFirst, areCards: true, after: cursor, limit: limit, known) {
            id, db throws(SQLiteError) in
            guard let reading = try ReadingTable.find(id, in: db),
                let book = try BookTable.find(key: reading.bookKey, in: db)
            else { return nil }
            return BookCard(reading: reading, book: book)
        }
    }

    /// Returns one item for each of a reader's readings. Only ids and versions are read of known items.
    private func shelf<Value: Resource>(
        of reader: Int64, _ filter: ListFilter, _ bestFirst: Bool, areCards: Bool, after cursor: String?,
        limit: Int, _ known: CachedOrReadItem<Value>.Known,
        _ find: (ResourceID, SQLiteConnection) throws(SQLiteError) -> Value?
    ) throws(RequestError) -> ListPage<CachedOrReadItem<Value>> {
        if bestFirst, let search = filter.search {
            let list = ReadingSearchResults(search, filter, of: reader, areCards: areCards, in: db)
            return try read { () throws(RequestError) in
                try page(of: list, after: cursor, limit: limit).map { id, version throws(RequestError) in
                    try query(CachedOrReadItem(id, version, known, in: db, find))
                }
            }
        }
        let list = ListPageCursor.List(kind: .reading)
        let cursor = try ListPageCursor(cursor, of: list)
        let shape = ReadingQueryShape(filter, areCards: areCards)
        return try query { db throws(SQLiteError) in
            let statement = try db.statement(ReadingQueryShape.texts, shape)
            shape.bind(filter, of: reader, below: cursor?.key ?? .max, to: statement)
            var time = PageTimeLimit(microsecondsMax: pageMicrosecondsMax, rowsMin: 1)
            let isOver = shape.hasSearch ? { time.isOver } : nil
            return try ListPage(of: statement, in: list, limit: limit, isOver: isOver) { row throws(SQLiteError) in
                if let search = filter.search, !search.matches(shape.words(row)) { return nil }
                return try CachedOrReadItem(row.id(1), shape.version(row), known, in: db, find)
            }
        }
    }

    /// The queries for the first page of entries and, with a cursor, for later ones. The index covers all columns.
    private static let entryTexts = SQLVariants<Bool> { hasCursor in
        """
        SELECT key, id, ifnull(changed, key), happened_at FROM entries
        WHERE reading = ?1 \(hasCursor ? "AND (happened_at, key) < (?2, ?3)" : "")
        ORDER BY happened_at DESC, key DESC
        """
    }

    /// Returns the entries of a reading, latest first. A version that is `known` is not read.
    package func entries(
        of reading: Int64, after cursor: String?, limit: Int, known: CachedOrReadItem<Entry>.Known
    ) throws(RequestError) -> ListPage<CachedOrReadItem<Entry>> {
        let list = ListPageCursor.List(kind: .entry, integers: 1...1)
        let cursor = try ListPageCursor(cursor, of: list)
        return try query { db throws(SQLiteError) in
            let statement = try db.statement(Self.entryTexts, cursor != nil).bind(reading)
            if let cursor { statement.bind(reading, cursor.value.integer, cursor.key) }
            return try ListPage(of: statement, in: list, by: 3, limit: limit) { row throws(SQLiteError) in
                try CachedOrReadItem(row.id(1), row.integer(2), known, in: db) { id, db throws(SQLiteError) in
                    try EntryTable.find(id, in: db)
                }
            }
        }
    }
}

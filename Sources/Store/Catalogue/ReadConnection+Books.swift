package import Model

extension ReadConnection {
    /// Returns a book, or `nil`.
    package func book(_ id: ResourceID) throws(RequestError) -> Book? {
        try query(BookTable.find(id, in: db))
    }

    /// Returns the books that match a filter, in an order. Equal books are sorted by creation, and unknown years come
    /// before all others. A `known` version is returned without reading it.
    ///
    /// A page visits books for at most `pageMicrosecondsMax`. It then ends early, possibly empty, with a `next` cursor.
    package func books(
        _ filter: BookFilter, order: BookOrder, descending: Bool, after cursor: String?, limit: Int,
        known: CachedOrReadItem<Book>.Known
    ) throws(RequestError) -> ListPage<CachedOrReadItem<Book>> {
        if order == .relevance, let search = filter.search {
            return try page(of: BookSearchResults(search, filter, in: db), after: cursor, limit: limit).map { book in
                known(book.id, book.version).map { .known($0) } ?? .read(book)
            }
        }
        // Without words, relevance is the order of titles.
        let sorting = ListOrder(order, isDescending: descending) ?? ListOrder(by: .title, isDescending: descending)
        let list = sorting.list(of: .book)
        let cursor = try ListPageCursor(cursor, of: list)
        let match = BookSearch.match(filter)
        var time = PageTimeLimit(microsecondsMax: pageMicrosecondsMax)
        return try query { db throws(SQLiteError) in
            let start = try BookSearch.start(filter, match, in: db)
            let shape = BookQueryShape(filter, order, descending: descending, isResumed: cursor != nil, start: start)
            let statement = try db.statement(BookQueryShape.texts, shape)
            shape.bind(filter, match, cursor, limit: limit, to: statement)
            // If every row is shown, a page is complete however long it takes.
            let mayPassOver = shape.isWalk || shape.leavesWords
            return try ListPage(
                of: statement, in: list, by: shape.orderColumn, limit: limit,
                isOver: mayPassOver ? { time.isOver } : nil
            ) { row throws(SQLiteError) in
                if !shape.isWalk, !shape.leavesWords, let bytes = known(row.id(1), row.integer(2)) {
                    return .known(bytes)
                }
                if shape.isWalk, row.integer(1) == 0 { return nil }
                let read = shape.isWalk ? try BookTable.find(key: row.integer(0), in: db) : try BookTable.row(row)
                guard let book = read, !shape.leavesWords || filter.matches(book) else { return nil }
                return known(book.id, book.version).map { .known($0) } ?? .read(book)
            }
        }
    }
}

public import Model

extension ReadConnection {
    /// The books that pass a filter, in an order; ties by the order of creation. A book whose representation is `known` in
    /// its version is not read.
    public func books(
        _ filter: BookFilter, order: BookOrder, descending: Bool, after cursor: String?, limit: Int,
        known: (ResourceID, Int64) -> [UInt8]?
    ) throws(LecternError) -> Page<ListedBook> {
        let cursor = try PageCursor(cursor)
        let rows = try query { db throws(SQLiteError) in
            let sql = Self.sql(filter, order, descending, cursor)
            let statement = try db.statement(composed: sql).bind(1, Int64(limit + 1))
            Self.bind(filter, cursor, to: statement)
            return try statement.all { row in
                let key = row.integer(0)
                if let bytes = known(row.id(1), row.integer(2)) {
                    return (ListedBook.known(bytes), key, Self.value(in: row, order))
                }
                return (ListedBook.read(BookTable.row(row)), key, Self.value(in: row, order))
            }
        }
        let page = Page(rows, limit: limit) { PageCursor($0.2, key: $0.1) }
        return Page(items: page.items.map(\.0), next: page.next)
    }

    /// A book of a page.
    public enum ListedBook: Sendable {
        /// It was known: its representation.
        case known([UInt8])
        /// It was read.
        case read(Book)
    }

    private static func column(_ order: BookOrder) -> String {
        switch order {
        case .title: "sort_title"
        case .publishedYear: "published_year"
        case .createdAt: "books.key"
        case .updatedAt: "updated_at"
        }
    }

    private static func value(in row: Statement, _ order: BookOrder) -> PageCursor.Value {
        switch order {
        case .title: .text(row.text(13))
        case .publishedYear: row.optionalInteger(9).map { .integer($0) } ?? .none
        case .createdAt: .integer(row.integer(0))
        case .updatedAt: .integer(row.integer(12))
        }
    }

    /// Only the shape of the request goes into the text; its values are bound.
    private static func sql(_ filter: BookFilter, _ order: BookOrder, _ descending: Bool, _ cursor: PageCursor?)
        -> String
    {
        let column = column(order)
        let direction = descending ? "DESC" : "ASC"
        var conditions: [String] = []
        if let cursor { conditions.append(beyond(cursor, column, descending)) }
        if filter.search != nil || filter.author != nil {
            conditions.append("books.key IN (SELECT rowid FROM books_words WHERE books_words MATCH ?4)")
        }
        if filter.isbn != nil { conditions.append("isbn = ?5") }
        if filter.language != nil { conditions.append("lower(language) = lower(?6)") }
        if filter.publishedFrom != nil { conditions.append("published_year >= ?7") }
        if filter.publishedTo != nil { conditions.append("published_year <= ?8") }
        let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        return
            "SELECT \(BookTable.columns), sort_title FROM books \(condition) ORDER BY \(column) \(direction), books.key \(direction) LIMIT ?1"
    }

    /// What comes after the cursor; SQLite sorts NULL before everything, and compares nothing with it.
    private static func beyond(_ cursor: PageCursor, _ column: String, _ descending: Bool) -> String {
        switch (cursor.value, descending) {
        case (.none, false): "(\(column) IS NOT NULL OR books.key > ?3)"
        case (.none, true): "(\(column) IS NULL AND books.key < ?3)"
        case (_, false): "(\(column), books.key) > (?2, ?3)"
        case (_, true): "((\(column), books.key) < (?2, ?3) OR \(column) IS NULL)"
        }
    }

    private static func bind(_ filter: BookFilter, _ cursor: PageCursor?, to statement: Statement) {
        if let cursor {
            switch cursor.value {
            case .none: break
            case .integer(let number): statement.bind(2, number)
            case .text(let text): statement.bind(2, text)
            }
            statement.bind(3, cursor.key)
        }
        let matches = [filter.author.map { "authors : (\(match($0)))" }, filter.search.map { "(\(match($0)))" }]
            .compactMap(\.self)
        if !matches.isEmpty { statement.bind(4, matches.joined(separator: " AND ")) }
        if let isbn = filter.isbn { statement.bind(5, isbn) }
        if let language = filter.language { statement.bind(6, language) }
        if let from = filter.publishedFrom { statement.bind(7, from) }
        if let to = filter.publishedTo { statement.bind(8, to) }
    }

    /// FTS5's words for a query. Folded words hold no quote, so quoting them is safe.
    private static func match(_ query: SearchQuery) -> String {
        query.words.enumerated().map { index, word in
            "\"\(word)\"" + (query.lastIsPrefix && index == query.words.count - 1 ? "*" : "")
        }.joined(separator: " AND ")
    }
}

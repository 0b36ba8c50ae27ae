package import Model

extension ReadConnection {
    /// The books that pass a filter, in an order; ties by the order of creation, and an unknown year before all years. A
    /// book whose representation is `known` in its version is not read.
    package func books(
        _ filter: BookFilter, order: BookOrder, descending: Bool, after cursor: String?, limit: Int,
        known: Listed<Book>.Known
    ) throws(LecternError) -> Page<Listed<Book>> {
        let cursor = try PageCursor(cursor, of: order.list)
        let match = BookSearch.match(filter)
        return try query { db throws(SQLiteError) in
            let start = try BookSearch.start(filter, match, in: db)
            let shape = BookShape(filter, order, descending: descending, isResumed: cursor != nil, start: start)
            let statement = try db.statement(BookShape.texts, shape)
            statement.bind(1, Int64(limit + 1))
            shape.bind(filter, match, cursor, to: statement)
            return try Page(of: statement, limit: limit) { row in
                known(row.id(1), row.integer(2)).map { .known($0) } ?? .read(BookTable.row(row))
            } cursor: { row in
                PageCursor(order.list, order.value(in: row), key: row.integer(0))
            }
        }
    }
}

extension BookOrder {
    fileprivate var list: PageCursor.List {
        switch self {
        case .title: PageCursor.List(kind: .book, order: 1, sort: .text)
        case .publishedYear: PageCursor.List(kind: .book, order: 2, sort: .integer)
        case .createdAt: PageCursor.List(kind: .book, order: 3)
        case .updatedAt: PageCursor.List(kind: .book, order: 4, sort: .integer)
        }
    }

    /// What a row, with the columns of `BookShape`, is sorted by.
    fileprivate func value(in row: Statement) -> PageCursor.Value {
        switch self {
        case .title: .text(row.text(BookTable.rows.width))
        case .publishedYear, .updatedAt: .integer(row.integer(BookTable.rows.width))
        case .createdAt: .none
        }
    }
}

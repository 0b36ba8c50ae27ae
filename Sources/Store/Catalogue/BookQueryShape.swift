import Model

/// The shape of a query for sorted books, which determines its SQL. The values are bound.
///
/// A query that starts with a part of the filter that few books match returns the matching rows. Unless it starts with
/// the words, the caller must check them. A query that follows the list's order instead returns each key, and whether
/// the book matches. Nearly all may not match, so the caller must be able to stop in between.
struct BookQueryShape: Hashable, Sendable {
    static let texts = SQLVariants<BookQueryShape> { $0.sql }

    private let order: BookOrder
    private let descending: Bool
    private let isResumed: Bool
    private let start: BookSearch.Start
    /// The SQL condition for the filter without its words; see `BookSearch.condition`.
    private let condition: String?
    /// A Boolean value indicating whether the query returns the key of each book in order, and whether it matches.
    let isWalk: Bool
    /// A Boolean value indicating whether the caller must check each row for the words.
    let leavesWords: Bool

    init(_ filter: BookFilter, _ order: BookOrder, descending: Bool, isResumed: Bool, start: BookSearch.Start) {
        self.order = order
        self.descending = descending
        self.isResumed = isResumed
        self.start = start
        let yearsAreIndexed = start == .years || start == .order && order == .publishedYear
        condition = BookSearch.condition(filter, yearsAreIndexed: yearsAreIndexed)
        leavesWords = filter.hasWords && start != .words
        isWalk = start == .order && (condition != nil || filter.hasWords)
    }

    /// The index to use, by name, because SQLite without statistics would often choose another one.
    private var index: String {
        switch (start, order) {
        case (.words, _): "NOT INDEXED"
        case (.isbn, _): "INDEXED BY books_isbn"
        case (.language, _): "INDEXED BY books_language"
        case (.years, _), (.order, .publishedYear): "INDEXED BY books_published_year"
        case (.order, .title), (.order, .relevance): "INDEXED BY books_sort_title"
        case (.order, .author): "INDEXED BY books_sort_author"
        case (.order, .updatedAt): "INDEXED BY books_updated_at"
        case (.order, .createdAt): "NOT INDEXED"
        }
    }

    private var column: String {
        switch order {
        case .title, .relevance: "sort_title"
        case .author: "sort_author"
        case .publishedYear: BookSearch.year
        case .createdAt: "books.key"
        case .updatedAt: "updated_at"
        }
    }

    /// The columns before the sort value.
    private var columns: String { isWalk ? "books.key, \(condition ?? "1")" : BookTable.rows.columns }

    /// The column with the sort value.
    var orderColumn: Int32 { isWalk ? 2 : BookTable.rows.width }

    var sql: String {
        let direction = descending ? "DESC" : "ASC"
        var conditions: [String] = []
        if isResumed { conditions.append(beyond) }
        if start == .words {
            conditions.append(
                "books.key IN (SELECT \(BookWordIndex.key) FROM books_words WHERE books_words MATCH ?4)")
        }
        if let condition, !isWalk { conditions.append(condition) }
        return """
            SELECT \(columns), \(column) FROM books \(index)
            \(conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND "))
            ORDER BY \(column) \(direction), books.key \(direction) LIMIT ?1
            """
    }

    private var beyond: String {
        let sign = descending ? "<" : ">"
        if order == .createdAt { return "books.key \(sign) ?3" }
        // The condition on the column alone is also needed: SQLite does not seek in an index of expressions by a pair.
        return "(\(column), books.key) \(sign) (?2, ?3) AND \(column) \(sign)= ?2"
    }

    /// Binds the filter's values, the cursor and the limit to the parameters in the query's text.
    func bind(
        _ filter: BookFilter, _ match: String?, _ cursor: ListPageCursor?, limit: Int, to statement: SQLiteStatement
    ) {
        statement.bind(isWalk || leavesWords ? -1 : Int64(limit + 1))
        if let cursor {
            if case .text(let text) = cursor.value { statement.bind(at: 2, text) }
            if let number = cursor.value.integer { statement.bind(at: 2, number) }
            statement.bind(at: 3, cursor.key)
        }
        BookSearch.bind(filter, match, to: statement)
    }
}

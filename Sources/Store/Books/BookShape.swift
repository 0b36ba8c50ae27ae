import Model

/// The shape of a request for books in an order of their own: all that its SQL depends on. The values are bound.
///
/// Where the search begins with what few books pass, the text gives the rows that pass, but for words, which it asks for only
/// where it begins with them. Where it begins with the order, it gives for each key whether the book passes: nearly all may not,
/// and who steps through them must be able to stop.
struct BookShape: Hashable, Sendable {
    static let texts = Variants<BookShape> { $0.sql }

    private let order: BookOrder
    private let descending: Bool
    private let isResumed: Bool
    private let start: BookSearch.Start
    /// See `BookSearch.condition`.
    private let condition: String?
    /// Whether it gives keys.
    let isWalk: Bool
    /// Whether the reader of the rows must ask each for the words.
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

    /// The index to walk, by name: without statistics SQLite would often choose another one.
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

    /// What is read of each row, before what it is sorted by.
    private var columns: String { isWalk ? "books.key, \(condition ?? "1")" : BookTable.rows.columns }

    /// Which column has what the row is sorted by.
    var orderColumn: Int32 { isWalk ? 2 : BookTable.rows.width }

    var sql: String {
        let direction = descending ? "DESC" : "ASC"
        var conditions: [String] = []
        if isResumed { conditions.append(beyond) }
        if start == .words {
            conditions.append(
                "books.key IN (SELECT \(BookIndex.key) FROM books_words WHERE books_words MATCH ?4)")
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
        // Said of the column alone, too: SQLite seeks no place in an index of expressions by a pair.
        return "(\(column), books.key) \(sign) (?2, ?3) AND \(column) \(sign)= ?2"
    }

    /// Binds what the text has places for.
    func bind(
        _ filter: BookFilter, _ match: String?, _ cursor: PageCursor?, limit: Int, to statement: Statement
    ) {
        statement.bind(1, isWalk || leavesWords ? -1 : Int64(limit + 1))
        if let cursor {
            switch cursor.value {
            case .none, .integers: break
            case .integer(let number): statement.bind(2, number)
            case .text(let text): statement.bind(2, text)
            }
            statement.bind(3, cursor.key)
        }
        BookSearch.bind(filter, match, to: statement)
    }
}

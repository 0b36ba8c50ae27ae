import Model

/// The shape of a request for books: all that its SQL depends on. The values are bound.
struct BookShape: Hashable, Sendable {
    static let texts = Variants<BookShape> { $0.sql }

    private let order: BookOrder
    private let descending: Bool
    private let isResumed: Bool
    private let hasWords: Bool
    private let start: BookSearch.Start
    private let hasISBN: Bool
    private let hasLanguage: Bool
    private let hasYears: Bool

    init(_ filter: BookFilter, _ order: BookOrder, descending: Bool, isResumed: Bool, start: BookSearch.Start) {
        self.order = order
        self.descending = descending
        self.isResumed = isResumed
        hasWords = filter.search != nil || filter.author != nil
        self.start = start
        hasISBN = filter.isbn != nil
        hasLanguage = filter.language != nil
        hasYears = filter.hasYears
    }

    /// The index to walk, by name: without statistics SQLite would often choose another one.
    private var index: String {
        switch (start, order) {
        case (.words, _): "NOT INDEXED"
        case (.isbn, _): "INDEXED BY books_isbn"
        case (.language, _): "INDEXED BY books_language"
        case (.years, _), (.order, .publishedYear): "INDEXED BY books_published_year"
        case (.order, .title): "INDEXED BY books_sort_title"
        case (.order, .updatedAt): "INDEXED BY books_updated_at"
        case (.order, .createdAt): "NOT INDEXED"
        }
    }

    private var column: String {
        switch order {
        case .title: "sort_title"
        case .publishedYear: BookSearch.year
        case .createdAt: "books.key"
        case .updatedAt: "updated_at"
        }
    }

    var sql: String {
        let direction = descending ? "DESC" : "ASC"
        var conditions: [String] = []
        if isResumed { conditions.append(beyond) }
        if hasWords {
            // The sign keeps SQLite from beginning with the words.
            let key = start == .words ? "books.key" : "+books.key"
            conditions.append("\(key) IN (SELECT rowid FROM books_words WHERE books_words MATCH ?4)")
        }
        if hasISBN { conditions.append("isbn = ?5") }
        if hasLanguage { conditions.append(BookSearch.hasLanguage) }
        if hasYears { conditions.append(hasYearInIndex ? BookSearch.hasYear : "published_year BETWEEN ?7 AND ?8") }
        let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        return """
            SELECT \(BookTable.rows.columns), \(column) FROM books \(index) \(condition)
            ORDER BY \(column) \(direction), books.key \(direction) LIMIT ?1
            """
    }

    private var beyond: String {
        let sign = descending ? "<" : ">"
        if order == .createdAt { return "books.key \(sign) ?3" }
        // Said of the column alone, too: SQLite seeks no place in an index of expressions by a pair.
        return "(\(column), books.key) \(sign) (?2, ?3) AND \(column) \(sign)= ?2"
    }

    /// Whether the index that is walked has the year first.
    private var hasYearInIndex: Bool { start == .years || start == .order && order == .publishedYear }

    /// Binds what the text has places for, except the limit.
    func bind(_ filter: BookFilter, _ match: String?, _ cursor: PageCursor?, to statement: Statement) {
        if let cursor {
            switch cursor.value {
            case .none: break
            case .integer(let number): statement.bind(2, number)
            case .text(let text): statement.bind(2, text)
            }
            statement.bind(3, cursor.key)
        }
        BookSearch.bind(filter, match, to: statement)
    }
}

import Model

/// The shape of a request for books: all that its SQL depends on. The values are bound.
struct BookShape {
    private let order: BookOrder
    private let descending: Bool
    private let isResumed: Bool
    private let hasWords: Bool
    private let hasCommonWords: Bool
    private let hasISBN: Bool
    private let hasLanguage: Bool
    private let hasFrom: Bool
    private let hasTo: Bool

    /// A language tag as it is compared.
    static let language = "lower(language) || '-'"

    /// What the index of years has for a book without one.
    static let unknownYear: Int64 = -100_000

    init(_ filter: BookFilter, _ order: BookOrder, descending: Bool, isResumed: Bool, isCommon: Bool) {
        self.order = order
        self.descending = descending
        self.isResumed = isResumed
        hasWords = filter.search != nil || filter.author != nil
        hasCommonWords = isCommon
        hasISBN = filter.isbn != nil
        hasLanguage = filter.language != nil
        hasFrom = filter.publishedFrom != nil
        hasTo = filter.publishedTo != nil
    }

    /// Another one for another text, in the range of `Connection.Shape.books`.
    var number: Int {
        let place = BookOrder.allCases.firstIndex(of: order) ?? 0
        let flags = [descending, isResumed, hasWords, hasCommonWords, hasISBN, hasLanguage, hasFrom, hasTo]
        return flags.reduce(place) { $0 << 1 | ($1 ? 1 : 0) }
    }

    private var column: String {
        switch order {
        case .title: "sort_title"
        case .publishedYear: "ifnull(published_year, \(Self.unknownYear))"
        case .createdAt: "books.key"
        case .updatedAt: "updated_at"
        }
    }

    /// The text.
    var sql: String {
        let direction = descending ? "DESC" : "ASC"
        var conditions: [String] = []
        if isResumed { conditions.append(beyond) }
        if hasWords {
            // The sign keeps SQLite from beginning with the words when so many books have them that it is better to walk
            // in the list's order and to stop early.
            let key = hasCommonWords ? "+books.key" : "books.key"
            conditions.append("\(key) IN (SELECT rowid FROM books_words WHERE books_words MATCH ?4)")
        }
        if hasISBN { conditions.append("isbn = ?5") }
        // One range holds the tag itself and all that go on after it: the hyphen comes right before the full stop.
        if hasLanguage { conditions.append("(\(Self.language) >= ?6 || '-' AND \(Self.language) < ?6 || '.')") }
        if hasFrom { conditions.append("published_year >= ?7") }
        if hasTo { conditions.append("published_year <= ?8") }
        if order == .publishedYear { conditions += range }
        let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        return """
            SELECT \(BookTable.columns), sort_title FROM books \(condition)
            ORDER BY \(column) \(direction), books.key \(direction) LIMIT ?1
            """
    }

    private var beyond: String {
        let sign = descending ? "<" : ">"
        return order == .createdAt ? "books.key \(sign) ?3" : "(\(column), books.key) \(sign) (?2, ?3)"
    }

    /// The bounds once more, as the index of years has them.
    private var range: [String] {
        var range: [String] = []
        if hasFrom { range.append("\(column) >= ?7") } else if hasTo { range.append("\(column) > \(Self.unknownYear)") }
        if hasTo { range.append("\(column) <= ?8") }
        return range
    }

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
        if let match { statement.bind(4, match) }
        if let isbn = filter.isbn { statement.bind(5, isbn) }
        if let language = filter.language { statement.bind(6, language.lowercased()) }
        if let from = filter.publishedFrom { statement.bind(7, from) }
        if let to = filter.publishedTo { statement.bind(8, to) }
    }
}

import Model

/// The search for books by their words.
enum BookSearch {
    /// The number of matching books from which walking in the list's order is faster than starting with the matches.
    static let commonMin: Int64 = 2000

    /// Returns FTS5's expression for a filter, with its language, or `nil` if it contains no words.
    static func match(_ filter: BookFilter) -> String? {
        guard filter.hasWords else { return nil }
        let language = filter.language.map { Book.word(ofLanguage: $0.utf8) }
        let parts = [
            language.map { "\"\(String(decoding: $0, as: UTF8.self))\"" },
            filter.author.map { "authors : (\(expression($0)))" }, filter.search.map { "(\(expression($0)))" },
        ]
        let given = parts.compactMap(\.self)
        return given.isEmpty ? nil : given.joined(separator: " AND ")
    }

    /// Returns FTS5's expression for a query, with a prefix for each word. Folded words contain no quotation mark, so
    /// quoting them is safe. A `String` keeps the bytes of UTF-8.
    static func expression(_ query: SearchQuery, prefix: String = "") -> String {
        query.groups.map { ways in
            let ways = ways.map { way in
                let words = way.words.split(separator: UInt8(ascii: " ")).map {
                    prefix + String(decoding: $0, as: UTF8.self)
                }
                return "\"\(words.joined(separator: " "))\"\(way.begins ? " *" : "")"
            }
            return ways.count == 1 ? ways[0] : "(\(ways.joined(separator: " OR ")))"
        }.joined(separator: " AND ")
    }

    /// The value of an unknown year in the index.
    static let unknownYear = ListOrder.unknownYear
    /// The expression for a year, as in the index.
    static let year = "ifnull(published_year, \(unknownYear))"
    /// The condition for a language, as in the index. One range contains the tag itself and all tags that continue it,
    /// because the hyphen comes right before the full stop.
    static let isOfLanguage = "(\(tag) >= ?6 || '-' AND \(tag) < ?6 || '.')"
    private static let tag = "lower(books.language) || '-'"
    /// The condition for the year, as in the index.
    static let hasYear = "\(year) BETWEEN ?7 AND ?8"

    /// Returns the SQL condition for a filter without its words, or `nil`. The language is left out with `hasLanguage`,
    /// because the words then include it. Unless `yearsAreIndexed`, the expression avoids the index of years.
    static func condition(
        _ filter: BookFilter, yearsAreIndexed: Bool = false, hasLanguage: Bool = false
    ) -> String? {
        var conditions: [String] = []
        if filter.isbn != nil { conditions.append("isbn = ?5") }
        if filter.language != nil, !hasLanguage { conditions.append(isOfLanguage) }
        if filter.hasYears { conditions.append(yearsAreIndexed ? hasYear : "published_year BETWEEN ?7 AND ?8") }
        return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
    }

    /// The part of the filter that the search for a page starts with.
    enum Start {
        case order, words, isbn, language, years
    }

    /// Returns the part to start with: one that few books match, or else the list's order. A part that very many books
    /// match is better checked book by book until the page is full.
    static func start(_ filter: BookFilter, _ match: String?, in connection: SQLiteConnection) throws(SQLiteError)
        -> Start
    {
        if filter.isbn != nil { return .isbn }
        if match != nil, try isRare(.words, filter, match, in: connection) { return .words }
        if filter.language != nil, try isRare(.language, filter, match, in: connection) { return .language }
        if filter.hasYears, try isRare(.years, filter, match, in: connection) { return .years }
        return .order
    }

    /// The query that counts the books that match a part of a filter, up to `?1`.
    private static let some = SQLVariants<Start> { start in
        let rows =
            switch start {
            case .words: "books_words WHERE books_words MATCH ?4"
            case .language: "books WHERE \(isOfLanguage)"
            default: "books WHERE \(hasYear)"
            }
        return "SELECT count(*) FROM (SELECT 1 FROM \(rows) LIMIT ?1)"
    }

    private static func isRare(
        _ start: Start, _ filter: BookFilter, _ match: String?, in connection: SQLiteConnection
    ) throws(SQLiteError) -> Bool {
        let statement = try connection.statement(some, start)
        bind(filter, match, to: statement.bind(commonMin))
        return try statement.first { $0.integer(0) < commonMin } ?? true
    }

    /// Binds the values of a filter to the parameters that the statement has.
    static func bind(_ filter: BookFilter, _ match: String?, to statement: SQLiteStatement) {
        statement.bind(at: 4, match).bind(at: 5, filter.isbn).bind(at: 6, filter.language?.lowercased())
        guard filter.hasYears else { return }
        statement.bind(at: 7, filter.publishedFrom.map { Int64($0) } ?? unknownYear + 1)
        statement.bind(at: 8, filter.publishedTo.map { Int64($0) } ?? .max)
    }
}

extension BookFilter {
    /// A Boolean value indicating whether the filter limits the year. Books without a year then do not match.
    var hasYears: Bool { publishedFrom != nil || publishedTo != nil }

    var hasWords: Bool { search != nil || author != nil }
}

import Model

/// Searches in the words of books.
enum BookSearch {
    /// From how many books on it is better to walk in the list's order than to begin with those that pass.
    static let commonMin: Int64 = 2000

    /// FTS5's expression for a filter, with its language; nil when it asks for no words.
    static func match(_ filter: BookFilter) -> String? {
        guard filter.hasWords else { return nil }
        let language = filter.language.map { BookWords.word(ofLanguage: $0.utf8) }
        let parts = [
            language.map { "\"\(String(decoding: $0, as: UTF8.self))\"" },
            filter.author.map { "authors : (\(expression($0)))" }, filter.search.map { "(\(expression($0)))" },
        ]
        let given = parts.compactMap(\.self)
        return given.isEmpty ? nil : given.joined(separator: " AND ")
    }

    /// What is asked for, where each stored word begins with a prefix. Folded words hold no quote, so quoting them is safe; a
    /// `String` of UTF-8 keeps its bytes.
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

    /// What the index of years has for a book without one.
    static let unknownYear = ListOrder.unknownYear
    /// The year, as its index has it.
    static let year = "ifnull(published_year, \(unknownYear))"
    /// Whether a book has the language, as its index has it. One range holds the tag itself and all that go on after it: the
    /// hyphen comes right before the full stop.
    static let isOfLanguage = "(\(tag) >= ?6 || '-' AND \(tag) < ?6 || '.')"
    private static let tag = "lower(books.language) || '-'"
    /// Whether a book's year is within the bounds, as its index has it.
    static let hasYear = "\(year) BETWEEN ?7 AND ?8"

    /// What a book must be besides having the words, and the language where it `hasLanguage` by them; nil when that is nothing. Unless
    /// years are `indexed`, the expression keeps from their index.
    static func condition(
        _ filter: BookFilter, yearsAreIndexed: Bool = false, hasLanguage: Bool = false
    ) -> String? {
        var conditions: [String] = []
        if filter.isbn != nil { conditions.append("isbn = ?5") }
        if filter.language != nil, !hasLanguage { conditions.append(isOfLanguage) }
        if filter.hasYears { conditions.append(yearsAreIndexed ? hasYear : "published_year BETWEEN ?7 AND ?8") }
        return conditions.isEmpty ? nil : conditions.joined(separator: " AND ")
    }

    /// What the search for a page begins with.
    enum Start {
        case order, words, isbn, language, years
    }

    /// Where to begin: with the part of the filter that few books pass, or else with the list's order. What very many pass
    /// is better asked of one book after the other, until the page is full.
    static func start(_ filter: BookFilter, _ match: String?, in connection: Connection) throws(SQLiteError) -> Start {
        if filter.isbn != nil { return .isbn }
        if match != nil, try isRare(.words, filter, match, in: connection) { return .words }
        if filter.language != nil, try isRare(.language, filter, match, in: connection) { return .language }
        if filter.hasYears, try isRare(.years, filter, match, in: connection) { return .years }
        return .order
    }

    /// Counts the books that pass a part of a filter, up to `?1`.
    private static let some = Variants<Start> { start in
        let rows =
            switch start {
            case .words: "books_words WHERE books_words MATCH ?4"
            case .language: "books WHERE \(isOfLanguage)"
            default: "books WHERE \(hasYear)"
            }
        return "SELECT count(*) FROM (SELECT 1 FROM \(rows) LIMIT ?1)"
    }

    private static func isRare(
        _ start: Start, _ filter: BookFilter, _ match: String?, in connection: Connection
    ) throws(SQLiteError) -> Bool {
        let statement = try connection.statement(some, start)
        bind(filter, match, to: statement.bind(1, commonMin))
        return try statement.first { $0.integer(0) < commonMin } ?? true
    }

    /// Binds the values of a filter, in whichever statement has places for them.
    static func bind(_ filter: BookFilter, _ match: String?, to statement: Statement) {
        if let match { statement.bind(4, match) }
        if let isbn = filter.isbn { statement.bind(5, isbn) }
        if let language = filter.language { statement.bind(6, language.lowercased()) }
        guard filter.hasYears else { return }
        statement.bind(7, filter.publishedFrom.map { Int64($0) } ?? unknownYear + 1)
        statement.bind(8, filter.publishedTo.map { Int64($0) } ?? .max)
    }
}

extension BookFilter {
    /// Whether it bounds the year: books without one do not pass then.
    var hasYears: Bool { publishedFrom != nil || publishedTo != nil }

    var hasWords: Bool { search != nil || author != nil }
}

import Model

/// The shape of a query for readings or cards, which determines its SQL. The values are bound.
struct ReadingQueryShape: Hashable, Sendable {
    static let texts = SQLVariants<ReadingQueryShape> { $0.sql }

    private let areCards: Bool
    private let isWindow: Bool
    private let hasState: Bool
    private let hasBook: Bool
    /// A Boolean value indicating whether the query also returns rows that do not match. Each contains the book's title
    /// and authors for the comparison.
    let hasSearch: Bool

    /// Creates the shape of a query for the readings after a cursor, or for a window of a search.
    init(_ filter: ListFilter, areCards: Bool, isWindow: Bool = false) {
        self.areCards = areCards
        self.isWindow = isWindow
        (hasState, hasBook, hasSearch) = (filter["state"] != nil, filter["book"] != nil, filter.search != nil)
    }

    var sql: String {
        let books = areCards || hasSearch ? "JOIN books ON books.key = readings.book" : ""
        // The index alone is `listed`, because reading a key from the table costs less than from the index again.
        return """
            SELECT readings.key, readings.id, readings.version\(areCards ? ", books.card_version" : "")\
            \(hasSearch ? ", books.title, books.authors" : "")
            FROM readings AS listed \(hasBook ? "INDEXED BY readings_book" : "")
                CROSS JOIN readings ON readings.key = listed.key \(books) WHERE listed.reader = ?1 AND listed.key < ?2
                \(isWindow ? "AND listed.key >= ?5" : "")
                \(hasState ? "AND readings.state = ?3" : "")
                \(hasBook ? "AND listed.book = (SELECT key FROM books WHERE id = ?4)" : "")
            ORDER BY listed.key DESC
            """
    }

    /// Binds all values except the lower end of a window.
    func bind(_ filter: ListFilter, of reader: Int64, below key: Int64, to statement: SQLiteStatement) {
        statement.bind(reader, key)
        if hasState { statement.bind(at: 3, filter["state"]) }
        if hasBook { statement.bind(at: 4, filter["book"]) }
    }

    /// Returns the version of the item in a row: of a card, the later version of its two parts, as in `BookCard`.
    func version(_ row: SQLiteStatement) -> Int64 {
        areCards ? max(row.integer(2), row.integer(3)) : row.integer(2)
    }

    /// Returns the title and authors in a row of a search, for comparison with the query.
    func words(_ row: SQLiteStatement) -> SearchedWords {
        let title: Int32 = areCards ? 4 : 3
        return SearchedWords(title: row.text(title), authors: [String](cell: row.cell(title + 1)) ?? [])
    }
}

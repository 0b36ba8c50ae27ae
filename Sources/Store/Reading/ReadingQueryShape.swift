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
        // The later version of the two parts of a card, as in `BookCard`.
        let version = areCards ? "max(readings.version, books.card_version)" : "readings.version"
        let books = areCards || hasSearch ? "JOIN books ON books.key = readings.book" : ""
        // The index alone is `listed`, because reading a key from the table costs less than from the index again.
        return """
            SELECT readings.key, readings.id, \(version)\(hasSearch ? ", books.title, books.authors" : "")
            FROM readings AS listed \(hasBook ? "INDEXED BY readings_book" : "")
                CROSS JOIN readings ON readings.key = listed.key \(books) WHERE listed.reader = ?1 AND listed.key < ?2
                \(isWindow ? "AND listed.key >= ?6" : "")
                \(hasState ? "AND readings.state = ?3" : "")
                \(hasBook ? "AND listed.book = (SELECT key FROM books WHERE id = ?4)" : "")
            ORDER BY listed.key DESC LIMIT ?5
            """
    }

    /// Binds all values except the lower end of a window.
    func bind(
        _ filter: ListFilter, of reader: Int64, below key: Int64, limit: Int, to statement: SQLiteStatement
    ) {
        statement.bind(reader, key, filter["state"], filter["book"], hasSearch ? -1 : Int64(limit + 1))
    }

    /// Returns the title and authors in a row of a search, for comparison with the query.
    static func words(_ row: SQLiteStatement) -> SearchedWords {
        SearchedWords(title: row.text(3), authors: [String](cell: row.cell(4)) ?? [])
    }
}

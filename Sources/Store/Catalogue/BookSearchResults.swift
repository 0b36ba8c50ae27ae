import Model

/// The books that match a search, in windows by their number of readers, most first. Leaders are books whose title
/// equals or begins with the query, at any position.
struct BookSearchResults: RankedSearchResults {
    /// The maximum number of books that `leaders()` reads for each range of titles that begin with the query.
    private static let lookedAtMax: Int64 = 64

    let cursors = ListPageCursor.List.search(of: .book)
    let rowsMax = 4096
    let search: SearchQuery
    let filter: BookFilter
    let db: SQLiteConnection
    private let relevance: BookRelevance
    private let match: String?

    /// Creates the results of a filter that contains the search. `more` continues FTS5's expression for its words.
    init(_ search: SearchQuery, _ filter: BookFilter, in db: SQLiteConnection, matching more: String = "") {
        (self.search, self.filter, self.db) = (search, filter, db)
        relevance = BookRelevance(search)
        match = BookSearch.match(filter).map { $0 + more }
    }

    func rows(after from: Int64, through end: Int64) throws(SQLiteError) -> SQLiteStatement {
        let statement = try db.statement(Self.windows, BookSearch.condition(filter, hasLanguage: true))
        BookSearch.bind(filter, match, to: statement.bind(from, end))
        return statement
    }

    func place(of row: SQLiteStatement) -> Int64 { row.integer(BookTable.rows.width) }

    /// Returns a Boolean value indicating whether a row matches the filter without its words.
    func passes(_ row: SQLiteStatement) -> Bool { row.integer(BookTable.rows.width + 1) != 0 }

    func match(in row: SQLiteStatement) throws(SQLiteError) -> RankedSearchMatch<Book>? {
        guard passes(row) else { return nil }
        let book = try BookTable.row(row)
        return scored(book, SearchedWords(of: book), at: place(of: row))
    }

    private static let windows = SQLVariants<String?> { condition in
        """
        SELECT \(BookTable.rows.columns), books_words.rowid, \(condition.map { "ifnull(\($0), 0)" } ?? "1")
        FROM books_words CROSS JOIN books ON books.key = \(BookWordIndex.key)
        WHERE books_words MATCH ?4 AND books_words.rowid > ?1 AND books_words.rowid <= ?2
        ORDER BY books_words.rowid
        """
    }

    private func scored(_ book: Book, _ words: SearchedWords, at place: Int64) -> RankedSearchMatch<Book> {
        let readers = BookWordIndex.readerClass(ofPlace: place)
        return RankedSearchMatch(item: book, score: relevance.score(of: words, readers: readers), place: place)
    }

    private static let beginnings = BookTable.rows.sql(
        "INDEXED BY books_sort_title WHERE sort_title >= ?1 AND sort_title < ?2 ORDER BY sort_title LIMIT ?3")

    /// Returns the matches whose title equals or begins with the query.
    func leaders() throws(SQLiteError) -> [RankedSearchMatch<Book>] {
        var found: [RankedSearchMatch<Book>] = []
        for titles in search.titles {
            let books = try db.statement(Self.beginnings).bind(titles.first, titles.end, Self.lookedAtMax).all(
                BookTable.row)
            for book in books where !found.contains(where: { $0.item.key == book.key }) {
                let words = SearchedWords(of: book)
                guard filter.matches(book, words: words) else { continue }
                found.append(scored(book, words, at: try BookWordIndex.place(ofKey: book.key, in: db)))
            }
        }
        return Array(found.sorted(by: <).prefix(RankedPageStart.leadersMax))
    }

    func match(at place: Int64) throws(SQLiteError) -> RankedSearchMatch<Book>? {
        guard let book = try BookTable.find(key: place & BookWordIndex.keyMask, in: db) else { return nil }
        let words = SearchedWords(of: book)
        guard filter.matches(book, words: words), try BookWordIndex.place(ofKey: book.key, in: db) == place else {
            return nil
        }
        return scored(book, words, at: place)
    }
}

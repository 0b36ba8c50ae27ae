import Model

/// The clubs of a reader, or the listed clubs, whose names or descriptions match a search. Equal matches are sorted by
/// place.
struct ClubSearchResults<Stored: ResourceTable>: RankedSearchResults {
    let cursors = ListPageCursor.List.search(of: Stored.Row.kind)
    /// The maximum number of rows of a window. It is small, because a description may have two thousand characters,
    /// which are folded whether it matches or not.
    let rowsMax = 256
    private let search: SearchQuery
    private let sql: SQLText
    private let reader: Int64
    private let db: SQLiteConnection
    private let words: (Stored.Row) -> SearchedWords
    private let relevance: BookRelevance

    /// Creates the results in the rows of a query, each followed by its place: those of the reader `?1` after the place
    /// `?2` and up to `?3`.
    init(
        _ search: SearchQuery, _ sql: SQLText, of reader: Int64 = 0, in db: SQLiteConnection,
        words: @escaping (Stored.Row) -> SearchedWords
    ) {
        (self.search, self.sql, self.reader, self.db, self.words) = (search, sql, reader, db, words)
        relevance = BookRelevance(search)
    }

    func rows(after from: Int64, through end: Int64) throws(SQLiteError) -> SQLiteStatement {
        try db.statement(sql).bind(reader, from, end)
    }

    func place(of row: SQLiteStatement) -> Int64 { row.integer(Stored.rows.width) }

    func match(in row: SQLiteStatement) throws(SQLiteError) -> RankedSearchMatch<Stored.Row>? {
        let item = try Stored.row(row)
        let words = words(item)
        guard search.matches(words) else { return nil }
        return RankedSearchMatch(item: item, score: relevance.score(of: words), place: place(of: row))
    }
}

import Model

/// The listed clubs whose names or descriptions match a search. Equal matches are sorted by founding, oldest first.
struct ClubListingSearchResults: RankedSearchResults {
    let cursors = ListPageCursor.List.search(of: .listing)
    /// The maximum number of rows of a window. It is small, because a description may have two thousand characters,
    /// which are folded whether it matches or not.
    let rowsMax = 256
    let search: SearchQuery
    let db: SQLiteConnection
    private let relevance: BookRelevance

    init(_ search: SearchQuery, in db: SQLiteConnection) {
        (self.search, self.db) = (search, db)
        relevance = BookRelevance(search)
    }

    private static let windows = ClubListingTable.rows.sql("WHERE key > ?1 AND key <= ?2 ORDER BY key")

    func rows(after from: Int64, through end: Int64) throws(SQLiteError) -> SQLiteStatement {
        try db.statement(Self.windows).bind(from, end)
    }

    func place(of row: SQLiteStatement) -> Int64 { row.integer(0) }

    func match(in row: SQLiteStatement) throws(SQLiteError) -> RankedSearchMatch<ClubListing>? {
        let listing = try ClubListingTable.row(row)
        let words = SearchedWords(of: listing)
        guard search.matches(words) else { return nil }
        return RankedSearchMatch(item: listing, score: relevance.score(of: words), place: listing.key)
    }
}

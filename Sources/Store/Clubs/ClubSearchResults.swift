import Model

/// The clubs of a reader whose names or descriptions match a search. Equal matches are sorted by membership, newest
/// first.
struct ClubSearchResults: RankedSearchResults {
    let cursors = ListPageCursor.List.search(of: .club)
    let search: SearchQuery
    let reader: Int64
    let db: SQLiteConnection
    private let relevance: BookRelevance

    init(_ search: SearchQuery, of reader: Int64, in db: SQLiteConnection) {
        (self.search, self.reader, self.db) = (search, reader, db)
        relevance = BookRelevance(search)
    }

    private static let windows = SQLText(
        """
        SELECT \(ClubTable.rows.columns), members.key FROM members JOIN clubs ON clubs.key = members.club
        WHERE members.reader = ?1 AND members.key < ?2 AND members.key >= ?3 ORDER BY members.key DESC
        """)

    func rows(after from: Int64, through end: Int64) throws(SQLiteError) -> SQLiteStatement {
        let keys = DescendingKeyPosition.keys(after: from, through: end)
        return try db.statement(Self.windows).bind(reader, keys.below, keys.from)
    }

    func place(of row: SQLiteStatement) -> Int64 {
        DescendingKeyPosition.place(ofKey: row.integer(ClubTable.rows.width))
    }

    func match(in row: SQLiteStatement) throws(SQLiteError) -> RankedSearchMatch<Club>? {
        let club = try ClubTable.row(row)
        let words = SearchedWords(of: club)
        guard search.matches(words) else { return nil }
        return RankedSearchMatch(item: club, score: relevance.score(of: words), place: place(of: row))
    }
}

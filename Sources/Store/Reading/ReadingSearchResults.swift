import Model

/// The ids and versions of a reader's readings whose books match a search, or of their cards. Equal matches are sorted
/// newest first.
struct ReadingSearchResults: RankedSearchResults {
    let cursors = ListPageCursor.List.search(of: .reading)
    let reader: Int64
    let search: SearchQuery
    let filter: ListFilter
    let db: SQLiteConnection
    private let shape: ReadingQueryShape
    private let relevance: BookRelevance

    init(_ search: SearchQuery, _ filter: ListFilter, of reader: Int64, areCards: Bool, in db: SQLiteConnection) {
        (self.search, self.filter, self.reader, self.db) = (search, filter, reader, db)
        shape = ReadingQueryShape(filter, areCards: areCards, isWindow: true)
        relevance = BookRelevance(search)
    }

    func rows(after from: Int64, through end: Int64) throws(SQLiteError) -> SQLiteStatement {
        let keys = DescendingKeyPosition.keys(after: from, through: end)
        let statement = try db.statement(ReadingQueryShape.texts, shape).bind(at: 5, keys.from)
        shape.bind(filter, of: reader, below: keys.below, to: statement)
        return statement
    }

    func place(of row: SQLiteStatement) -> Int64 { DescendingKeyPosition.place(ofKey: row.integer(0)) }

    func match(in row: SQLiteStatement) -> RankedSearchMatch<(id: ResourceID, version: Int64)>? {
        let words = shape.words(row)
        guard search.matches(words) else { return nil }
        return RankedSearchMatch(
            item: (row.id(1), shape.version(row)), score: relevance.score(of: words), place: place(of: row))
    }
}

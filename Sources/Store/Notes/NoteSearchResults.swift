import Model

/// The visible notes that match a search: of a club or, without one, of the reader. Equal matches are sorted newest
/// first.
struct NoteSearchResults: RankedSearchResults {
    let cursors = ListPageCursor.List.search(of: .note)
    let filter: NoteFilter
    let club: Int64?
    let reader: Int64
    let db: SQLiteConnection
    private let relevance: BookRelevance
    /// The number of bytes of a note that count as one row. A note may be as long as a thousand titles, and folding
    /// this many bytes takes about as long as a row.
    private static let bytesOfRow = 256

    init(_ search: SearchQuery, _ filter: NoteFilter, of club: Int64?, seenBy reader: Int64, in db: SQLiteConnection) {
        (self.filter, self.club, self.reader, self.db) = (filter, club, reader, db)
        relevance = BookRelevance(search)
    }

    private static let lookedAt = SQLText(
        """
        SELECT rowid FROM notes_words WHERE notes_words MATCH ?1 AND rowid < ?2 ORDER BY rowid DESC
        LIMIT 1 OFFSET \(NoteVisibilitySQL.checkedMax - 1)
        """)

    func windowEnd(after from: Int64) throws(SQLiteError) -> Int64? {
        guard let search = filter.search else { return nil }
        let below = DescendingKeyPosition.keys(after: from, through: .max).below
        let last = try db.statement(Self.lookedAt).bind(NoteTable.match(search, club: club, author: reader), below)
            .number()
        return last.map(DescendingKeyPosition.place(ofKey:))
    }

    func rows(after from: Int64, through end: Int64) throws(SQLiteError) -> SQLiteStatement {
        let keys = DescendingKeyPosition.keys(after: from, through: end)
        let shape = NoteQueryShape(filter, isOfClub: club != nil, isWindow: true)
        let statement = try db.statement(NoteQueryShape.texts, shape).bind(at: 4, -1).bind(at: 8, keys.from)
        NoteQueryShape.bind(filter, of: club, seenBy: reader, below: keys.below, to: statement)
        return statement
    }

    func place(of row: SQLiteStatement) -> Int64 { DescendingKeyPosition.place(ofKey: row.integer(0)) }

    func match(in row: SQLiteStatement) throws(SQLiteError) -> RankedSearchMatch<Note>? {
        let note = try NoteTable.row(row)
        return RankedSearchMatch(
            item: note, score: relevance.score(ofText: note.searched), place: place(of: row),
            weight: 1 + (note.body.utf8.count + (note.quote?.utf8.count ?? 0)) / Self.bytesOfRow)
    }
}

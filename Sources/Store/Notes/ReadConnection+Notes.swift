package import Model

/// Queries for the notes that a reader sees.
extension ReadConnection {
    /// Returns the name of a note's author in its club, or the name when they left it, or `nil` if it is unknown.
    package func name(ofAuthor note: Note) throws(RequestError) -> String? {
        try query(MemberTable.name(of: note.authorKey, inClub: note.clubKey ?? 0, in: db))
    }

    /// Returns a note that the reader sees, or `nil` if it is invisible or does not exist.
    package func note(_ id: ResourceID, seenBy reader: Int64) throws(RequestError) -> Note? {
        try query(
            NoteTable.find(id, seenBy: reader, in: db).map { note throws(SQLiteError) in
                try NoteTable.shown(note, to: reader, in: db)
            })
    }

    private static let clubOfDeleted = SQLText(
        """
        SELECT notes.club FROM notes WHERE notes.id = ?2 AND notes.body IS NULL
            AND notes.club IN (SELECT club FROM members WHERE reader = ?1) AND \(NoteVisibilitySQL.isVisibleToMember())
        """)

    /// Returns the key of the club of a deleted note that a member could see, or `nil` for any other note.
    package func clubOfDeletedNote(_ id: ResourceID, seenBy reader: Int64) throws(RequestError) -> Int64? {
        try query(db.statement(Self.clubOfDeleted).bind(reader, id).number())
    }

    /// Returns the visible notes of a club or, without one, of the reader, newest first. With `bestFirst`, returns the
    /// best matches of the search first.
    package func notes(
        of club: Int64?, seenBy reader: Int64, _ filter: NoteFilter, bestFirst: Bool = false, after cursor: String?,
        limit: Int
    ) throws(RequestError) -> ListPage<Note> {
        let shown = { [db] (note: Note) throws(SQLiteError) in
            club == nil ? try NoteTable.shown(note, to: reader, in: db) : note
        }
        if bestFirst, let search = filter.search {
            let list = NoteSearchResults(search, filter, of: club, seenBy: reader, in: db)
            return try read { () throws(RequestError) in
                try page(of: list, after: cursor, limit: limit).map { note throws(RequestError) in
                    try query { _ throws(SQLiteError) in try shown(note) }
                }
            }
        }
        let list = ListPageCursor.List(kind: .note)
        let cursor = try ListPageCursor(cursor, of: list)
        return try query { db throws(SQLiteError) in
            let shape = NoteQueryShape(filter, isOfClub: club != nil)
            func prepared(_ texts: SQLVariants<NoteQueryShape>) throws(SQLiteError) -> SQLiteStatement {
                let statement = try db.statement(texts, shape)
                NoteQueryShape.bind(filter, of: club, seenBy: reader, below: cursor?.key ?? .max, to: statement)
                return statement
            }
            let rows = try prepared(NoteQueryShape.texts).bind(at: 4, Int64(limit + 1))
            let page = try ListPage(of: rows, in: list, limit: limit, isOver: { false }) { row throws(SQLiteError) in
                try shown(try NoteTable.row(row))
            }
            guard page.next == nil else { return page }
            // The list ends here, or only what the page looked at.
            let extent = try prepared(NoteQueryShape.extents).first { (count: $0.integer(0), last: $0.integer(1)) }
            guard let extent, extent.count == NoteVisibilitySQL.checkedMax else { return page }
            return ListPage(items: page.items, next: ListPageCursor(list, key: extent.last).text)
        }
    }

    // A book's notes up to the reader's plain mark need no look: they are visible.
    private static let ahead = SQLText(
        """
        WITH RECURSIVE discussed (book) AS (
            SELECT min(book) FROM notes WHERE club = ?2 AND body IS NOT NULL
            UNION ALL SELECT (SELECT min(book) FROM notes WHERE club = ?2 AND body IS NOT NULL AND book > discussed.book)
                FROM discussed WHERE discussed.book IS NOT NULL),
        reached (book, mark) AS (SELECT book, ifnull((SELECT marks.value FROM marks WHERE marks.reader = ?1
                AND marks.book = discussed.book AND marks.scale = 0 AND marks.until = \(HighWaterMarks.forever)), 0)
            FROM discussed WHERE book IS NOT NULL AND (?3 IS NULL OR book = (SELECT key FROM books WHERE id = ?3))
                AND book = ifnull((SELECT book FROM runs WHERE id = ?4), book)),
        looked (key) AS (SELECT notes.key FROM reached CROSS JOIN notes
            WHERE notes.club = ?2 AND notes.book = reached.book AND notes.share > reached.mark AND notes.body IS NOT NULL
                AND notes.author <> ?1 AND \(NoteVisibilitySQL.isInAudience())
            LIMIT \(NoteVisibilitySQL.checkedMax))
        SELECT count(*) FROM looked CROSS JOIN notes WHERE notes.key = looked.key AND (?4 IS NULL OR notes.run = ?4)
            AND NOT \(NoteVisibilitySQL.isReached()) AND \(BlockVisibility.isNotBlocked())
        """)

    /// Returns the number of a club's notes that the reader cannot see yet, among the next 3,000 for the reader.
    package func notesAhead(
        of reader: Int64, in club: Int64, book: ResourceID?, run: ResourceID? = nil
    ) throws(RequestError) -> Int64 {
        try query(db.statement(Self.ahead).bind(reader, club, book, run).number() ?? 0)
    }

    static let reactions = SQLText(
        """
        SELECT reactions.reader, reactions.reaction, readers.id FROM reactions JOIN readers ON readers.key = reactions.reader
        WHERE reactions.note = ?2 AND \(BlockVisibility.shows("reactions.reader", in: "?3"))
            AND (reactions.reader, reactions.reaction) > (?4, ?5)
        ORDER BY reactions.reader, reactions.reaction LIMIT ?6
        """)

    /// Returns a page of the reactions to a note that are visible to a reader. The caller must have checked that the
    /// reader sees the note.
    package func reactions(
        to note: Note, seenBy reader: Int64, after cursor: String?, limit: Int
    ) throws(RequestError) -> ListPage<(reader: ResourceID, reaction: String)> {
        let list = ListPageCursor.List(kind: .note, order: 1, isByText: true)
        let cursor = try ListPageCursor(cursor, of: list)
        var reaction = ""
        if case .text(let text)? = cursor?.value { reaction = text }
        return try query { db throws(SQLiteError) in
            let statement = try db.statement(Self.reactions).bind(
                reader, note.key, note.clubKey, cursor?.key ?? -1, reaction, Int64(limit + 1))
            return try ListPage(of: statement, in: list, by: 1, limit: limit) { ($0.id(2), $0.text(1)) }
        }
    }
}

import Model

/// The table of notes, and the index of their words. A deleted note keeps its row, with an empty body.
enum NoteTable: ExportedTable {
    static let rows = TableMapping<Note>("notes", key: .version, isThere: "notes.body IS NOT NULL")

    static func scope(of row: Note) -> ChangeScope {
        row.clubKey.map { .club(key: $0) } ?? .reader(key: row.authorKey)
    }

    private static let seen = rows.sql("WHERE notes.id = ?2 AND \(NoteVisibilitySQL.isVisible)")

    /// Returns a note that the reader sees, or `nil`.
    static func find(_ id: ResourceID, seenBy reader: Int64, in connection: SQLiteConnection) throws(SQLiteError)
        -> Note?
    {
        try connection.statement(seen).bind(reader, id).first(row)
    }

    /// The query for the ids of the notes of the club `?1`.
    static let idsOfClub = "SELECT id FROM notes WHERE club = ?1 AND body IS NOT NULL"

    // The notes in clubs keep their place in the thread, without their words.
    static let endings = [
        ending(
            of: .reader,
            where: """
                notes.author = ?1 AND notes.club IS NOT NULL AND (notes.body <> '' OR notes.quote IS NOT NULL)
                ORDER BY notes.key
                """
        ) { [update(of: $0) { $0.forgetWords() }] },
        // The log of the author's own changes has the creation of a note that was private before it was shared.
        ending(of: .club, where: "notes.club = ?1 AND notes.body IS NOT NULL AND notes.to_moderators IS NOT NULL") {
            var note = $0
            note.forgetWords()
            return [LoggedEvent(row: note, operation: .deleted, scope: .reader(key: note.authorKey))]
        },
    ]

    /// Returns a note as its author sees it. If the author has left its club, reactions and replies are left out.
    static func shown(_ note: Note, to reader: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Note {
        guard let club = note.clubKey, try MemberTable.find(reader: reader, club: club, in: connection) == nil else {
            return note
        }
        var shown = note
        (shown.reactions, shown.replyCount) = (NoteReactionCounts(), 0)
        return shown
    }

    private static let reached = SQLText(
        """
        SELECT notes.club, notes.key FROM notes WHERE notes.author = ?3
            AND +notes.club IN (SELECT club FROM members WHERE reader = ?1 AND (club = ?2 OR ?2 IS NULL AND role = 'member'))
            AND notes.body IS NOT NULL AND notes.is_nameless = 0
            AND (notes.audience IS NULL OR \(NoteVisibilitySQL.beganThread("?1"))) AND \(NoteVisibilitySQL.isReached())
        ORDER BY notes.share, notes.key
        """)

    /// Returns a named author's notes that a reader's marks reach, in the order of the book, whether or not the author
    /// is hidden from the reader. They are those of one club, or of all clubs that the reader does not moderate. Notes
    /// that only moderators may see are left out.
    static func reached(
        of author: Int64, in club: Int64?, by reader: Int64, in connection: SQLiteConnection
    ) throws(SQLiteError) -> [(club: Int64, key: Int64)] {
        try connection.statement(reached).bind(reader, club, author)
            .all { ($0.integer(0), $0.integer(1)) }
    }

    /// Returns all replies of a thread, whoever may see them.
    static func replies(inThread root: ResourceID, in connection: SQLiteConnection) throws(SQLiteError) -> [Note] {
        try matching("notes.thread = ?1 AND notes.body IS NOT NULL", in: connection).bind(root).all(row)
    }

    static func insert(_ note: Note, in connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        let key = try rows.insert(note, in: connection)
        try connection.statement("INSERT INTO notes_words (rowid, body) VALUES (?1, ?2)").bind(
            key, UTF8Text(words(of: note.searched, author: note.authorKey, club: note.clubKey))
        ).run()
        return key
    }

    static func update(_ note: Note, changed: FieldSet, in connection: SQLiteConnection) throws(SQLiteError) {
        try rows.update(note, changed: changed, in: connection)
        if !changed.isDisjoint(with: NoteAudienceWidening.fields) {
            let isNew = !changed.isDisjoint(with: Note.fields["club"])
            try NoteAudienceWidening.record(note, isNew: isNew, in: connection)
        }
        guard !changed.isDisjoint(with: Note.fieldsOfSearch) else { return }
        try connection.statement("UPDATE notes_words SET body = ?1 WHERE rowid = ?2")
            .bind(UTF8Text(words(of: note.searched, author: note.authorKey, club: note.clubKey)), note.key).run()
    }

    /// Returns a note's folded words, once with the prefix of its author and once with that of its club.
    static func words(of text: FoldedSearchText, author: Int64, club: Int64?) -> [UInt8] {
        let words = text.all
        let places = [prefix(author: author)] + (club.map { [prefix(club: $0)] } ?? [])
        return Array(places.flatMap { place in words.map { Array(place.utf8) + $0 } }.joined(separator: [0x20]))
    }

    /// Returns FTS5's expression for a search in the notes of a club or, without one, of an author.
    static func match(_ query: SearchQuery, club: Int64?, author: Int64) -> String {
        BookSearch.expression(query, prefix: club.map { prefix(club: $0) } ?? prefix(author: author))
    }

    // The prefix of each word of a club or author, so that a search walks no words of others, not even for a word
    // prefix. The letter after the number ends it, so no prefix begins another one.
    private static func prefix(club: Int64) -> String { "c\(club)x" }
    private static func prefix(author: Int64) -> String { "r\(author)x" }

    static func delete(_ note: Note, in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.statement(
            """
            UPDATE notes SET body = NULL, position = NULL, opens_at = NULL, author_name = NULL, quote = NULL, language = NULL, reactions = '{}',
                reply_count = 0
            WHERE key = ?1
            """
        ).bind(note.key).run()
        try connection.statement("DELETE FROM reactions WHERE note = ?1").bind(note.key).run()
        try connection.statement("DELETE FROM notes_words WHERE rowid = ?1").bind(note.key).run()
    }
}

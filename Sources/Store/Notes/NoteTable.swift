import Model

/// Rows of notes, and the words they are found by.
enum NoteTable: Table {
    static let columns = """
        notes.key, notes.id, notes.version, notes.book, books.id, notes.club, clubs.id, notes.author, readers.id, \
        notes.thread, notes.position, notes.page, notes.body, notes.created_at, notes.updated_at, notes.reactions
        """

    /// What `columns` needs.
    static let joins = """
        notes JOIN books ON books.key = notes.book JOIN readers ON readers.key = notes.author \
        LEFT JOIN clubs ON clubs.key = notes.club
        """

    static func row(_ statement: Statement) -> Note {
        let club = statement.optionalInteger(5)
        var note = Note(
            id: statement.id(1), book: (statement.id(4), statement.integer(3)),
            club: club.map { (statement.id(6), $0) }, author: (statement.id(8), statement.integer(7)),
            thread: statement.optionalID(9), progress: statement.optionalInteger(10).map { Progress(clamping: $0) },
            page: statement.optionalInt32(11), body: statement.text(12), createdAt: statement.instant(13))
        note.key = statement.integer(0)
        note.version = statement.integer(2)
        note.updatedAt = statement.instant(14)
        note.reactions = ReactionTable.counts(statement.bytes(15))
        return note
    }

    /// A note that the reader sees; nil when there is none.
    static func find(_ id: ResourceID, seenBy reader: Int64, in connection: Connection) throws(SQLiteError) -> Note? {
        try connection.statement(shape: Connection.Shape.noteOfReader) {
            "SELECT \(columns) FROM \(joins) WHERE notes.id = ?2 AND \(NoteGate.sees)"
        }.bind(1, reader).bind(2, id).first(row)
    }

    /// A note as its author has it, who may have gone from its club: then not with what the others make of it.
    static func shown(_ note: Note, to reader: Int64, in connection: Connection) throws(SQLiteError) -> Note {
        guard let club = note.clubKey, try MemberTable.find(reader: reader, club: club, in: connection) == nil else {
            return note
        }
        var shown = note
        shown.reactions = ReactionCounts()
        return shown
    }

    /// The clubs' notes that the reader comes to see, when the place (a book, or a whole club) is reached up to `progress`
    /// instead of `old`; in the order of the book. All that it asks of a note is in one index.
    static func unlocked(
        for reader: Int64, place: Int64, from old: Progress, to progress: Progress, in connection: Connection
    ) throws(SQLiteError) -> [(key: Int64, club: Int64)] {
        try connection.statement(shape: Connection.Shape.unlockedNotes + (place < 0 ? 1 : 0)) {
            """
            SELECT notes.key, notes.club FROM notes
            WHERE \(place < 0 ? "notes.club = -?2" : "notes.book = ?2")
                AND notes.club IN (SELECT club FROM members WHERE reader = ?1)
                AND notes.position > ?3 AND notes.position <= ?4 AND notes.body IS NOT NULL AND NOT \(NoteGate.hasReached())
                AND notes.author <> ?1
            ORDER BY notes.position, notes.key
            """
        }.bind(1, reader).bind(2, place).bind(3, place < 0 ? 0 : Int64(old.millionths))
            .bind(4, Int64(progress.millionths)).all { ($0.integer(0), $0.integer(1)) }
    }

    /// A note that is there, whoever sees it.
    static func current(_ id: ResourceID, in connection: Connection) throws(SQLiteError) -> Note? {
        try connection.statement(shape: Connection.Shape.of(.note, 2)) {
            "SELECT \(columns) FROM \(joins) WHERE notes.id = ?1 AND notes.body IS NOT NULL"
        }.bind(1, id).first(row)
    }

    /// A note's row, which stays when it is deleted, with an empty body.
    static func kept(key: Int64, in connection: Connection) throws(SQLiteError) -> Note? {
        try connection.statement(shape: Connection.Shape.of(.note, 1)) {
            "SELECT \(columns) FROM \(joins) WHERE notes.key = ?1"
        }.bind(1, key).first(row)
    }

    static func insert(_ note: Note, in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.statement(
            """
            INSERT INTO notes (key, id, version, book, club, author, thread, position, page, body, created_at, updated_at)
            VALUES (?1, ?2, ?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """
        ).bind(1, note.version).bind(2, note.id).bind(3, note.bookKey).bind(4, note.clubKey).bind(5, note.authorKey)
            .bind(6, note.thread).bind(7, note.progress.map { Int64($0.millionths) }).bind(8, note.page)
            .bind(9, note.body).bind(10, note.createdAt).bind(11, note.updatedAt).run()
        try connection.statement("INSERT INTO notes_words (rowid, body) VALUES (?1, ?2)").bind(1, note.version)
            .bind(2, text: words(of: note.body, author: note.authorKey, club: note.clubKey)).run()
        return note.version
    }

    static func update(_ note: Note, changed: FieldSet, in connection: Connection) throws(SQLiteError) {
        try connection.statement(
            "UPDATE notes SET version = ?1, body = ?2, updated_at = ?3, reactions = ?5 WHERE key = ?4"
        )
        .bind(1, note.version).bind(2, note.body).bind(3, note.updatedAt).bind(4, note.key)
        .bind(5, text: ReactionTable.encoded(note.reactions)).run()
        guard !changed.isDisjoint(with: Note.fieldsOfSearch) else { return }
        try connection.statement("UPDATE notes_words SET body = ?1 WHERE rowid = ?2")
            .bind(1, text: words(of: note.body, author: note.authorKey, club: note.clubKey)).bind(2, note.key).run()
    }

    /// A note's folded words, each once for every place where it is looked for.
    static func words(of body: String, author: Int64, club: Int64?) -> [UInt8] {
        let words = SearchText(body).words
        let places = [prefix(author: author)] + (club.map { [prefix(club: $0)] } ?? [])
        return Array(places.flatMap { place in words.map { Array(place.utf8) + $0 } }.joined(separator: [0x20]))
    }

    /// FTS5's expression for a search in the notes of a club, or, without one, in those of an author.
    static func match(_ query: SearchQuery, club: Int64?, author: Int64) -> String {
        BookSearch.expression(query, prefix: club.map { prefix(club: $0) } ?? prefix(author: author))
    }

    // What the words of a place begin with: a search walks no words of others, not even for the beginning of a word. The
    // letter after the number ends it, so that no place's name begins another one's.
    private static func prefix(club: Int64) -> String { "c\(club)x" }
    private static func prefix(author: Int64) -> String { "r\(author)x" }

    static func delete(_ note: Note, in connection: Connection) throws(SQLiteError) {
        try connection.statement("UPDATE notes SET body = NULL, reactions = '{}' WHERE key = ?1").bind(1, note.key)
            .run()
        try connection.statement("DELETE FROM reactions WHERE note = ?1").bind(1, note.key).run()
        try connection.statement("DELETE FROM notes_words WHERE rowid = ?1").bind(1, note.key).run()
    }

    static func scope(of row: Note, key: Int64, in connection: Connection) -> Scope {
        row.clubKey.map { .club(key: $0) } ?? .reader(key: row.authorKey)
    }
}

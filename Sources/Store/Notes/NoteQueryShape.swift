import Model

/// The shape of a query for notes, which determines its SQL. The values are bound.
///
/// A search visits the club's or author's notes that contain the words, in their order. `NoteVisibilitySQL` checks each
/// note, so invisible notes are skipped and no page ends at one.
struct NoteQueryShape: Hashable, Sendable {
    static let texts = SQLVariants<NoteQueryShape> { $0.sql }

    private let isOfClub: Bool
    private let isWindow: Bool
    private let hasBook: Bool
    private let hasRun: Bool
    private let hasClub: Bool
    private let hasThread: Bool
    private let hasRepliesOnly: Bool
    private let isOfRoots: Bool
    private let hasAbout: Bool
    private let hasKind: Bool
    private let hasSearch: Bool

    /// Creates the shape of a query for the notes after a cursor, or for a window of a search.
    init(_ filter: NoteFilter, isOfClub: Bool, isWindow: Bool = false) {
        self.isOfClub = isOfClub
        self.isWindow = isWindow
        (hasBook, hasRun, hasClub) = (filter.book != nil, filter.run != nil, filter.club != nil)
        (hasThread, hasAbout, hasSearch) = (filter.thread != nil, filter.about != nil, filter.search != nil)
        (hasKind, hasRepliesOnly, isOfRoots) = (filter.kind != nil, filter.hasRepliesOnly, filter.isOfRoots)
    }

    var sql: String {
        let key = hasSearch ? "notes_words.rowid" : "notes.key"
        return """
            SELECT \(NoteTable.rows.columns) FROM \(hasSearch ? "notes_words CROSS JOIN " : "")\(NoteTable.rows.joins)
            WHERE \(key) < ?3 \(isWindow ? "AND \(key) >= ?8" : "")
                \(hasSearch ? "AND notes_words MATCH ?7 AND notes.key = notes_words.rowid" : "")
                AND \(NoteVisibilitySQL.sees) AND \(isOfClub ? "notes.club = ?2" : "notes.author = ?1")
                \(hasBook ? "AND notes.book = (SELECT key FROM books WHERE id = ?5)" : "")
                \(hasRun ? "AND notes.run = ?10" : "")
                \(hasClub ? "AND notes.club = (SELECT key FROM clubs WHERE id = ?12)" : "")
                \(hasThread ? "AND (notes.thread = ?6\(hasRepliesOnly ? "" : " OR notes.id = ?6"))" : "")
                \(isOfRoots ? "AND notes.thread IS NULL" : "")
                \(hasAbout ? "AND notes.about = ?9" : "") \(hasKind ? "AND notes.kind = ?13" : "")
            ORDER BY \(key) DESC LIMIT ?4
            """
    }

    /// Binds all values except the lower end of a window. Without a limit all rows are returned.
    static func bind(
        _ filter: NoteFilter, of club: Int64?, seenBy reader: Int64, below key: Int64, limit: Int?,
        to statement: SQLiteStatement
    ) {
        statement.bind(1, reader).bind(3, key).bind(4, limit.map { Int64($0 + 1) } ?? -1)
        if let club { statement.bind(2, club) }
        if let book = filter.book { statement.bind(5, book) }
        if let run = filter.run { statement.bind(10, run) }
        if let thread = filter.thread { statement.bind(6, thread) }
        if let club = filter.club { statement.bind(12, club) }
        if let about = filter.about { statement.bind(9, about) }
        if let kind = filter.kind { statement.bind(13, kind.rawValue) }
        if let search = filter.search { statement.bind(7, NoteTable.match(search, club: club, author: reader)) }
    }
}

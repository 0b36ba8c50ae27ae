import Model

/// The shape of a query for notes, which determines its SQL. The values are bound.
///
/// A search visits the club's or author's notes that contain the words, in their order. `NoteVisibilitySQL` checks each
/// note. A page looks at `NoteVisibilitySQL.checkedMax` notes at most.
struct NoteQueryShape: Hashable, Sendable {
    static let texts = SQLVariants<NoteQueryShape> { $0.sql }
    /// The queries for the number of notes at which the query of the same shape looks, and the key of the last one.
    static let extents = SQLVariants<NoteQueryShape> { "SELECT count(*), min(key) FROM (\($0.lookedAt))" }

    private let isOfClub: Bool
    private let isWindow: Bool
    private let isOfRoots: Bool
    private let hasSearch: Bool
    private let conditions: [String]

    /// Creates the shape of a query for the notes after a cursor, or for a window of a search.
    init(_ filter: NoteFilter, isOfClub: Bool, isWindow: Bool = false) {
        (self.isOfClub, self.isWindow) = (isOfClub, isWindow)
        (isOfRoots, hasSearch) = (filter.isOfRoots, filter.search != nil)
        conditions = Self.conditions(filter).map(\.sql)
    }

    /// Returns the conditions of a filter, besides its words, with the parameters and their values.
    private static func conditions(_ filter: NoteFilter) -> [(sql: String, index: Int32, value: DatabaseValue)] {
        [
            filter.book.map { ("notes.book = (SELECT key FROM books WHERE id = ?5)", 5, .id($0)) },
            filter.thread.map { ("(notes.thread = ?6 OR notes.id = ?6)", 6, .id($0)) },
            filter.about.map { ("notes.about = ?9", 9, .id($0)) },
            filter.run.map { ("notes.run = ?10", 10, .id($0)) },
            filter.club.map { ("notes.club = (SELECT key FROM clubs WHERE id = ?11)", 11, .id($0)) },
            filter.kind.map { ("notes.kind = ?12", 12, .text($0.rawValue)) },
        ].compactMap(\.self)
    }

    var sql: String {
        guard !isWindow else {
            return """
                SELECT \(NoteTable.rows.columns) FROM \(words)\(NoteTable.rows.joins)
                WHERE \(key) >= ?8 AND \(NoteVisibilitySQL.sees) AND \(condition) ORDER BY \(key) DESC LIMIT ?4
                """
        }
        return """
            SELECT \(NoteTable.rows.columns) FROM (\(lookedAt)) AS looked CROSS JOIN \(NoteTable.rows.joins)
            WHERE notes.key = looked.key AND \(NoteVisibilitySQL.sees) LIMIT ?4
            """
    }

    private var words: String { hasSearch ? "notes_words CROSS JOIN " : "" }
    private var key: String { hasSearch ? "notes_words.rowid" : "notes.key" }

    /// The query for the notes at which a page looks, whether or not they are visible.
    private var lookedAt: String {
        """
        SELECT notes.key AS key FROM \(words)notes
        WHERE \(condition) ORDER BY \(key) DESC LIMIT \(NoteVisibilitySQL.checkedMax)
        """
    }

    private var condition: String {
        """
        \(key) < ?3
                \(hasSearch ? "AND notes_words MATCH ?7 AND notes.key = notes_words.rowid" : "")
                AND \(isOfClub ? "notes.club = ?2" : "notes.author = ?1")
                \(isOfRoots ? "AND notes.thread IS NULL" : "")
                \(conditions.map { "AND \($0)" }.joined(separator: " "))
        """
    }

    /// Binds all values except `?4`, the number of rows, and `?8`, the lower end of a window.
    static func bind(
        _ filter: NoteFilter, of club: Int64?, seenBy reader: Int64, below key: Int64, to statement: SQLiteStatement
    ) {
        statement.bind(reader, club, key)
        for condition in conditions(filter) { statement.bind(at: condition.index, condition.value) }
        if let search = filter.search { statement.bind(at: 7, NoteTable.match(search, club: club, author: reader)) }
    }
}

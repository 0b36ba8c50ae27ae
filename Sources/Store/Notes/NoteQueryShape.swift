import Model

/// The shape of a query for notes, which determines its SQL. The values are bound.
///
/// A search visits the club's or author's notes that contain the words, and other queries visit the thread's notes, or
/// all of the club or author. A page looks at `NoteVisibilitySQL.checkedMax` notes at most, and returns those that pass
/// the filter and are visible (`NoteVisibilitySQL`).
struct NoteQueryShape: Hashable, Sendable {
    static let texts = SQLVariants<NoteQueryShape> { $0.sql }
    /// The queries for the number of notes at which the query of the same shape looks, and the key of the last one.
    static let extents = SQLVariants<NoteQueryShape> { "SELECT count(*), min(key) FROM (\($0.lookedAt))" }

    private let isOfClub: Bool
    private let isWindow: Bool
    private let isOfRoots: Bool
    private let isOfThread: Bool
    private let hasSearch: Bool
    private let conditions: [String]

    /// Creates the shape of a query for the notes after a cursor, or for a window of a search.
    init(_ filter: NoteFilter, isOfClub: Bool, isWindow: Bool = false) {
        (self.isOfClub, self.isWindow) = (isOfClub, isWindow)
        (isOfRoots, isOfThread, hasSearch) = (filter.isOfRoots, filter.thread != nil, filter.search != nil)
        conditions = Self.conditions(filter).map(\.sql)
    }

    /// Returns the conditions of a filter, besides its words, with the parameters and their values.
    private static func conditions(_ filter: NoteFilter) -> [(sql: String, index: Int32, value: DatabaseValue)] {
        [
            filter.book.map { ("notes.book = (SELECT key FROM books WHERE id = ?5)", 5, .id($0)) },
            filter.thread.map { ("(notes.thread = ?6 OR notes.id = ?6)", 6, .id($0)) },
            filter.run.map { ("notes.run = ?9", 9, .id($0)) },
            filter.club.map { ("notes.club = (SELECT key FROM clubs WHERE id = ?10)", 10, .id($0)) },
        ].compactMap(\.self)
            + filter.fields.enumerated().map {
                ("\(NoteTable.rows.expression(of: $1.name)) = ?\($0 + 11)", Int32($0) + 11, $1.value)
            }
    }

    var sql: String {
        """
        SELECT \(NoteTable.rows.columns) FROM (\(lookedAt)) AS looked CROSS JOIN \(NoteTable.rows.joins)
        WHERE notes.key = looked.key AND \(isOfClub ? "notes.club = ?2" : "notes.author = ?1")
            \(isOfRoots ? "AND notes.thread IS NULL" : "") \(conditions.map { "AND \($0)" }.joined(separator: " "))
            AND \(NoteVisibilitySQL.isVisible) LIMIT ?4
        """
    }

    /// The query for the notes at which a page looks, whether or not they pass the filter and are visible.
    private var lookedAt: String {
        let rows =
            if hasSearch {
                "SELECT rowid AS key FROM notes_words WHERE notes_words MATCH ?7 AND rowid < ?3"
                    + (isWindow ? " AND rowid >= ?8" : "")
            } else if isOfThread {
                """
                SELECT key FROM notes WHERE thread = ?6 AND key < ?3
                UNION ALL SELECT key FROM notes WHERE id = ?6 AND key < ?3
                """
            } else {
                "SELECT key FROM notes WHERE \(isOfClub ? "club = ?2" : "author = ?1") AND key < ?3"
            }
        return "\(rows) ORDER BY key DESC LIMIT \(isWindow ? -1 : NoteVisibilitySQL.checkedMax)"
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

import Model

/// The table of readers.
enum ReaderTable: ExportedTable {
    static let rows = TableMapping<Reader>("readers", isThere: isThere)

    static func scope(of row: Reader) -> ChangeScope { .reader(key: row.key) }

    static let endings: [ResourceEnding] = []

    /// The condition that a reader has not left. The row of a reader who left is kept without a name, because their
    /// notes in clubs refer to it.
    static let isThere = "readers.has_left = 0"

    /// The condition that a reader is an administrator who is not suspended.
    private static let administers = "role = 'administrator' AND suspension IS NULL"
    private static let administrators = SQLText("SELECT 1 FROM readers WHERE \(administers) AND key <> ?1 LIMIT 1")
    private static let firstAdministrator = rows.sql("WHERE \(administers) ORDER BY readers.key LIMIT 1")
    private static let byKey = rows.sql("WHERE readers.key = ?1 AND \(isThere)")

    static func find(key: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Reader? {
        try connection.statement(byKey).bind(key).first(row)
    }

    /// The readers who are visible to a reader: members of common clubs, authors of visible notes, and readers with a
    /// request to join a club that the reader moderates.
    private static let inSight = rows.sql(
        """
        WHERE readers.id = ?2 AND \(isThere) AND readers.key <> ?1 AND (
            EXISTS (SELECT 1 FROM members JOIN members AS own ON own.club = members.club
                WHERE members.reader = readers.key AND own.reader = ?1)
            OR EXISTS (SELECT 1 FROM notes
                WHERE notes.author = readers.key AND notes.is_nameless = 0 AND \(NoteVisibilitySQL.isVisible))
            OR EXISTS (SELECT 1 FROM join_requests JOIN members AS own ON own.club = join_requests.club
                WHERE join_requests.reader = readers.key AND own.reader = ?1 AND own.role <> 'member'))
        """)

    /// Returns another reader who is visible to the reader.
    static func find(
        _ id: ResourceID, inSightOf reader: Int64, in connection: SQLiteConnection
    ) throws(SQLiteError) -> Reader? {
        try connection.statement(inSight).bind(reader, id).first(row)
    }

    static func delete(_ reader: Reader, in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.statement(
            "UPDATE readers SET name = '', role = 'reader', is_librarian = 0, suspension = NULL, has_left = 1 WHERE key = ?1"
        ).bind(reader.key).run()
    }

    /// Returns the first administrator.
    static func firstAdministrator(in connection: SQLiteConnection) throws(SQLiteError) -> Reader? {
        try connection.statement(firstAdministrator).first(row)
    }

    /// Returns whether there is an administrator who is not suspended, other than one reader.
    static func hasAdministrator(
        except reader: Int64 = 0, in connection: SQLiteConnection
    ) throws(SQLiteError) -> Bool {
        try connection.statement(administrators).bind(reader).hasRow()
    }
}

import Model

/// Rows of readers.
enum ReaderTable: Table {
    static let rows = Rows<Reader>("readers")

    static func scope(of row: Reader) -> Scope { .reader(key: row.key) }

    /// Who left keeps a row, for what they wrote in clubs is theirs still: nobody's, by name.
    static let isThere = "readers.has_left = 0"

    /// Whether a reader is an administrator who may come in.
    private static let administers = "role = 'administrator' AND suspension IS NULL"
    private static let administrators = SQL("SELECT count(*) FROM readers WHERE \(administers) AND key <> ?1")
    private static let firstAdministrator = rows.sql("WHERE \(administers) ORDER BY readers.key LIMIT 1")
    private static let byID = rows.sql("WHERE readers.id = ?1 AND \(isThere)")
    private static let byKey = rows.sql("WHERE readers.key = ?1 AND \(isThere)")

    static func find(_ id: ResourceID, in connection: Connection) throws(SQLiteError) -> Reader? {
        try connection.statement(byID).bind(1, id).first(row)
    }

    static func find(key: Int64, in connection: Connection) throws(SQLiteError) -> Reader? {
        try connection.statement(byKey).bind(1, key).first(row)
    }

    /// Who is or was in a club of the reader's, as far as that is seen, or asks to be let into one that they moderate.
    private static let inSight = rows.sql(
        """
        WHERE readers.id = ?2 AND \(isThere) AND readers.key <> ?1 AND (
            EXISTS (SELECT 1 FROM members JOIN members AS own ON own.club = members.club
                WHERE members.reader = readers.key AND own.reader = ?1)
            OR EXISTS (SELECT 1 FROM notes
                WHERE notes.author = readers.key AND notes.is_nameless = 0 AND \(NoteGate.sees))
            OR EXISTS (SELECT 1 FROM join_requests JOIN members AS own ON own.club = join_requests.club
                WHERE join_requests.reader = readers.key AND own.reader = ?1 AND own.role <> 'member'))
        """)

    /// Another reader whom one can see.
    static func find(
        _ id: ResourceID, inSightOf reader: Int64, in connection: Connection
    ) throws(SQLiteError) -> Reader? {
        try connection.statement(inSight).bind(1, reader).bind(2, id).first(row)
    }

    static func delete(_ reader: Reader, in connection: Connection) throws(SQLiteError) {
        try connection.statement(
            "UPDATE readers SET name = '', role = 'reader', is_librarian = 0, suspension = NULL, has_left = 1 WHERE key = ?1"
        ).bind(1, reader.key).run()
    }

    /// The administrator who was first.
    static func firstAdministrator(in connection: Connection) throws(SQLiteError) -> Reader? {
        try connection.statement(firstAdministrator).first(row)
    }

    /// The key that the next reader gets: a command that makes one needs it for what comes with them.
    static func nextKey(in connection: Connection) throws(SQLiteError) -> Int64 {
        (try connection.number("SELECT seq FROM sqlite_sequence WHERE name = 'readers'") ?? 0) + 1
    }

    /// How many administrators there are, besides a reader, who may come in.
    static func administrators(except reader: Int64 = 0, in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.statement(administrators).bind(1, reader).first { $0.integer(0) } ?? 0
    }
}

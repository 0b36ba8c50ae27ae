import Model

/// Rows of readers.
enum ReaderTable: Table {
    static let columns = """
        key, id, version, name, CASE is_librarian WHEN 1 THEN 'librarian' ELSE role END, created_at, updated_at
        """

    static func row(_ statement: Statement) -> Reader {
        var reader = Reader(
            id: statement.id(1), name: statement.text(3), role: Reader.Role(rawValue: statement.text(4)) ?? .reader,
            createdAt: statement.instant(5))
        reader.key = statement.integer(0)
        reader.version = statement.integer(2)
        reader.updatedAt = statement.instant(6)
        return reader
    }

    static func find(_ id: ResourceID, in connection: Connection) throws(SQLiteError) -> Reader? {
        try connection.statement(
            """
            SELECT key, id, version, name, CASE is_librarian WHEN 1 THEN 'librarian' ELSE role END, created_at, updated_at
            FROM readers WHERE id = ?1
            """
        )
        .bind(1, id).first(row)
    }

    /// The administrator who was first.
    static func firstAdministrator(in connection: Connection) throws(SQLiteError) -> Reader? {
        try connection.statement(
            """
            SELECT key, id, version, name, role, created_at, updated_at FROM readers
            WHERE role = 'administrator' ORDER BY key LIMIT 1
            """
        ).first(row)
    }

    /// How many administrators there are.
    static func administrators(in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.number("SELECT count(*) FROM readers WHERE role = 'administrator'") ?? 0
    }

    static func insert(_ reader: Reader, in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.statement(
            """
            INSERT INTO readers (id, version, name, role, is_librarian, created_at, updated_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        ).bind(1, reader.id).bind(2, reader.version).bind(3, reader.name).bind(4, role(of: reader))
            .bind(5, Int64(reader.role == .librarian ? 1 : 0)).bind(6, reader.createdAt).bind(7, reader.updatedAt).run()
        return connection.lastInsertedKey
    }

    static func update(_ reader: Reader, changed: FieldSet, in connection: Connection) throws(SQLiteError) {
        try connection.statement(
            "UPDATE readers SET version = ?1, name = ?2, role = ?3, updated_at = ?4, is_librarian = ?6 WHERE key = ?5"
        )
        .bind(1, reader.version).bind(2, reader.name).bind(3, role(of: reader)).bind(4, reader.updatedAt)
        .bind(5, reader.key).bind(6, Int64(reader.role == .librarian ? 1 : 0)).run()
    }

    /// Librarians are readers with a mark of their own.
    private static func role(of reader: Reader) -> String {
        (reader.role == .librarian ? Reader.Role.reader : reader.role).rawValue
    }

    static func delete(_ reader: Reader, in connection: Connection) throws(SQLiteError) {
        try connection.statement("DELETE FROM readers WHERE key = ?1").bind(1, reader.key).run()
    }

    static func scope(of row: Reader, key: Int64, in connection: Connection) -> Scope { .reader(key: key) }
}

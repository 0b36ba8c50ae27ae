import Model

/// Rows of those who were taken out of clubs.
enum RemovalTable: Table {
    static let columns = """
        removals.key, removals.id, removals.version, removals.club, clubs.id, removals.reader, readers.id, \
        removals.name, removals.is_banned, removals.created_at, removals.updated_at
        """

    /// What `columns` needs.
    static let joins = "removals JOIN clubs ON clubs.key = removals.club JOIN readers ON readers.key = removals.reader"

    static func row(_ statement: Statement) -> Removal {
        var removal = Removal(
            id: statement.id(1), club: (statement.id(4), statement.integer(3)),
            reader: (statement.id(6), statement.integer(5)), name: statement.text(7),
            isBanned: statement.integer(8) != 0, createdAt: statement.instant(9))
        removal.key = statement.integer(0)
        removal.version = statement.integer(2)
        removal.updatedAt = statement.instant(10)
        return removal
    }

    static func find(_ id: ResourceID, in connection: Connection) throws(SQLiteError) -> Removal? {
        try connection.statement(shape: Connection.Shape.of(.removal)) {
            "SELECT \(columns) FROM \(joins) WHERE removals.id = ?1"
        }.bind(1, id).first(row)
    }

    /// The one of a reader out of a club.
    static func find(reader: Int64, club: Int64, in connection: Connection) throws(SQLiteError) -> Removal? {
        try connection.statement(shape: Connection.Shape.of(.removal, 1)) {
            "SELECT \(columns) FROM \(joins) WHERE removals.reader = ?1 AND removals.club = ?2"
        }.bind(1, reader).bind(2, club).first(row)
    }

    static func insert(_ removal: Removal, in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.statement(
            """
            INSERT INTO removals (id, version, club, reader, name, is_banned, created_at, updated_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """
        ).bind(1, removal.id).bind(2, removal.version).bind(3, removal.clubKey).bind(4, removal.readerKey)
            .bind(5, removal.name).bind(6, Int64(removal.isBanned ? 1 : 0)).bind(7, removal.createdAt)
            .bind(8, removal.updatedAt).run()
        return connection.lastInsertedKey
    }

    /// Never asked for: a removal does not change.
    static func update(_ removal: Removal, changed: FieldSet, in connection: Connection) {}

    static func delete(_ removal: Removal, in connection: Connection) throws(SQLiteError) {
        try connection.statement("DELETE FROM removals WHERE key = ?1").bind(1, removal.key).run()
    }

    static func scope(of row: Removal, key: Int64, in connection: Connection) -> Scope {
        .moderators(ofClub: row.clubKey)
    }
}

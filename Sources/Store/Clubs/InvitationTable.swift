import Model

/// Rows of invitations.
enum InvitationTable: Table {
    static let columns = """
        invitations.key, invitations.id, invitations.version, invitations.club, clubs.id, invitations.maker, \
        readers.id, invitations.uses, invitations.uses_max, invitations.expires_at, invitations.created_at, \
        invitations.updated_at
        """

    static func row(_ statement: Statement) -> Invitation {
        var invitation = Invitation(
            id: statement.id(1), club: (statement.id(4), statement.integer(3)),
            maker: (statement.id(6), statement.integer(5)), usesMax: statement.int32(8),
            expiresAt: statement.optionalInstant(9),
            createdAt: statement.instant(10))
        invitation.key = statement.integer(0)
        invitation.version = statement.integer(2)
        invitation.uses = statement.int32(7)
        invitation.updatedAt = statement.instant(11)
        return invitation
    }

    /// What `columns` needs.
    static let joins = """
        invitations JOIN clubs ON clubs.key = invitations.club JOIN readers ON readers.key = invitations.maker
        """

    static func find(_ id: ResourceID, in connection: Connection) throws(SQLiteError) -> Invitation? {
        try connection.statement(shape: Connection.Shape.of(.invitation)) {
            "SELECT \(columns) FROM \(joins) WHERE invitations.id = ?1"
        }.bind(1, id).first(row)
    }

    static func find(code: String, in connection: Connection) throws(SQLiteError) -> Invitation? {
        try connection.statement(shape: Connection.Shape.of(.invitation, 1)) {
            "SELECT \(columns) FROM \(joins) WHERE invitations.code = ?1"
        }.bind(1, code).first(row)
    }

    /// All that a reader made into a club.
    static func all(
        maker: Int64, club: Int64, in connection: Connection
    ) throws(SQLiteError) -> [Invitation] {
        try connection.statement(shape: Connection.Shape.of(.invitation, 2)) {
            "SELECT \(columns) FROM \(joins) WHERE invitations.maker = ?1 AND invitations.club = ?2"
        }.bind(1, maker).bind(2, club).all(row)
    }

    static func insert(_ invitation: Invitation, in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.statement(
            """
            INSERT INTO invitations (id, version, club, maker, code, uses, uses_max, expires_at, created_at, updated_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """
        ).bind(1, invitation.id).bind(2, invitation.version).bind(3, invitation.clubKey).bind(4, invitation.makerKey)
            .bind(5, invitation.code).bind(6, Int64(invitation.uses)).bind(7, Int64(invitation.usesMax))
            .bind(8, invitation.expiresAt).bind(9, invitation.createdAt).bind(10, invitation.updatedAt).run()
        return connection.lastInsertedKey
    }

    static func update(_ invitation: Invitation, changed: FieldSet, in connection: Connection) throws(SQLiteError) {
        try connection.statement("UPDATE invitations SET version = ?1, uses = ?2, updated_at = ?3 WHERE key = ?4")
            .bind(1, invitation.version).bind(2, Int64(invitation.uses)).bind(3, invitation.updatedAt)
            .bind(4, invitation.key).run()
    }

    static func delete(_ invitation: Invitation, in connection: Connection) throws(SQLiteError) {
        try connection.statement("DELETE FROM invitations WHERE key = ?1").bind(1, invitation.key).run()
    }

    static func scope(of row: Invitation, key: Int64, in connection: Connection) -> Scope {
        .moderators(ofClub: row.clubKey)
    }
}

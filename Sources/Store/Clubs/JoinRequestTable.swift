import Model

/// Rows of requests to be let into a club.
enum JoinRequestTable: Table {
    static let columns = """
        join_requests.key, join_requests.id, join_requests.version, join_requests.club, clubs.id, join_requests.reader, \
        readers.id, join_requests.name, join_requests.message, join_requests.state, join_requests.created_at, \
        join_requests.updated_at
        """

    /// What `columns` needs.
    static let joins = """
        join_requests JOIN clubs ON clubs.key = join_requests.club JOIN readers ON readers.key = join_requests.reader
        """

    static func row(_ statement: Statement) -> JoinRequest {
        var request = JoinRequest(
            id: statement.id(1), club: (statement.id(4), statement.integer(3)),
            reader: (statement.id(6), statement.integer(5)), name: statement.text(7),
            message: statement.optionalText(8), createdAt: statement.instant(10))
        request.key = statement.integer(0)
        request.version = statement.integer(2)
        request.state = JoinRequest.State(rawValue: statement.text(9)) ?? .declined
        request.updatedAt = statement.instant(11)
        return request
    }

    static func find(_ id: ResourceID, in connection: Connection) throws(SQLiteError) -> JoinRequest? {
        try connection.statement(shape: Connection.Shape.of(.joinRequest)) {
            "SELECT \(columns) FROM \(joins) WHERE join_requests.id = ?1"
        }.bind(1, id).first(row)
    }

    /// The one with which a reader waits to be let into a club.
    static func waiting(reader: Int64, club: Int64, in connection: Connection) throws(SQLiteError) -> JoinRequest? {
        try connection.statement(shape: Connection.Shape.of(.joinRequest, 1)) {
            """
            SELECT \(columns) FROM \(joins)
            WHERE join_requests.reader = ?1 AND join_requests.club = ?2 AND join_requests.state = 'waiting'
            """
        }.bind(1, reader).bind(2, club).first(row)
    }

    /// All that were made to a club.
    static func all(club: Int64, in connection: Connection) throws(SQLiteError) -> [JoinRequest] {
        try connection.statement(shape: Connection.Shape.of(.joinRequest, 2)) {
            "SELECT \(columns) FROM \(joins) WHERE join_requests.club = ?1 ORDER BY join_requests.key"
        }.bind(1, club).all(row)
    }

    static func insert(_ request: JoinRequest, in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.statement(
            """
            INSERT INTO join_requests (id, version, club, reader, name, message, state, created_at, updated_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """
        ).bind(1, request.id).bind(2, request.version).bind(3, request.clubKey).bind(4, request.readerKey)
            .bind(5, request.name).bind(6, request.message).bind(7, request.state.rawValue).bind(8, request.createdAt)
            .bind(9, request.updatedAt).run()
        return connection.lastInsertedKey
    }

    static func update(_ request: JoinRequest, changed: FieldSet, in connection: Connection) throws(SQLiteError) {
        try connection.statement("UPDATE join_requests SET version = ?1, state = ?2, updated_at = ?3 WHERE key = ?4")
            .bind(1, request.version).bind(2, request.state.rawValue).bind(3, request.updatedAt).bind(4, request.key)
            .run()
    }

    static func delete(_ request: JoinRequest, in connection: Connection) throws(SQLiteError) {
        try connection.statement("DELETE FROM join_requests WHERE key = ?1").bind(1, request.key).run()
    }

    static func scope(of row: JoinRequest, key: Int64, in connection: Connection) -> Scope {
        .moderators(ofClub: row.clubKey)
    }
}

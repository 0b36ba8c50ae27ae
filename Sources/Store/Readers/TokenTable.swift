import Model

/// Rows of tokens. The digest of the secret is stored beside the token and never read back, only looked up.
enum TokenTable: Table {
    static let columns = """
        tokens.key, tokens.id, tokens.version, tokens.reader, readers.id, tokens.name, tokens.access, tokens.expires_at, \
        tokens.last_used_day, tokens.created_at
        """

    static func row(_ statement: Statement) -> Token {
        var token = Token(
            id: statement.id(1), reader: (statement.id(4), statement.integer(3)), name: statement.text(5),
            access: Token.Access(rawValue: statement.text(6)) ?? .read, expiresAt: statement.optionalInstant(7),
            createdAt: statement.instant(9))
        token.key = statement.integer(0)
        token.version = statement.integer(2)
        token.lastUsedDay = statement.optionalInteger(8)
        return token
    }

    static func find(_ id: ResourceID, in connection: Connection) throws(SQLiteError) -> Token? {
        try connection.statement(
            """
            SELECT tokens.key, tokens.id, tokens.version, tokens.reader, readers.id, tokens.name, tokens.access,
                tokens.expires_at, tokens.last_used_day, tokens.created_at
            FROM tokens JOIN readers ON readers.key = tokens.reader WHERE tokens.id = ?1
            """
        ).bind(1, id).first(row)
    }

    /// How many tokens a reader has, those that have expired among them.
    static func count(ofReader reader: Int64, in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.statement("SELECT count(*) FROM tokens WHERE reader = ?1").bind(1, reader).first {
            $0.integer(0)
        }
            ?? 0
    }

    /// The token of a reader that expired first; nil when none has.
    static func expired(
        ofReader reader: Int64, at now: Instant, in connection: Connection
    ) throws(SQLiteError) -> Token? {
        try connection.statement(shape: Connection.Shape.of(.token)) {
            """
            SELECT \(columns) FROM tokens JOIN readers ON readers.key = tokens.reader
            WHERE tokens.reader = ?1 AND tokens.expires_at <= ?2 ORDER BY tokens.expires_at LIMIT 1
            """
        }.bind(1, reader).bind(2, now).first(row)
    }

    static func insert(_ token: Token, in connection: Connection) throws(SQLiteError) -> Int64 {
        let statement = try connection.statement(
            """
            INSERT INTO tokens (id, version, reader, name, access, digest, expires_at, created_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """
        ).bind(1, token.id).bind(2, token.version).bind(3, token.readerKey).bind(4, token.name)
            .bind(5, token.access.rawValue).bind(7, token.expiresAt).bind(8, token.createdAt)
        if let digest = token.digest { statement.bind(6, digest) }
        try statement.run()
        return connection.lastInsertedKey
    }

    /// Never: nothing of it changes.
    static func update(_ token: Token, changed: FieldSet, in connection: Connection) {}

    static func scope(of row: Token, key: Int64, in connection: Connection) -> Scope { .reader(key: row.readerKey) }

    static func delete(_ token: Token, in connection: Connection) throws(SQLiteError) {
        try connection.statement("DELETE FROM tokens WHERE key = ?1").bind(1, token.key).run()
    }

    /// Notes the day of a use; nothing else of a token ever changes, and this is no change that anybody watches.
    static func touch(_ id: ResourceID, day: Int64, in connection: Connection) throws(SQLiteError) {
        try connection.statement(
            "UPDATE tokens SET last_used_day = ?2 WHERE id = ?1 AND (last_used_day IS NULL OR last_used_day < ?2)"
        ).bind(1, id).bind(2, day).run()
    }
}

import Model

/// The table of tokens.
enum TokenTable: ResourceTable {
    static let rows = TableMapping<Token>("tokens", times: .created)

    static func scope(of row: Token) -> ChangeScope { .reader(key: row.readerKey) }

    static let endings: [ResourceEnding] = []

    /// Returns the sessions of a reader.
    static func sessions(ofReader reader: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> [Token] {
        try matching("tokens.reader = ?1 AND tokens.is_session", in: connection).bind(reader).all(row)
    }

    /// Returns the session whose secret has the given digest, or `nil`.
    static func session(_ digest: SHA256Digest, in connection: SQLiteConnection) throws(SQLiteError) -> Token? {
        try matching("tokens.digest = ?1 AND tokens.is_session", in: connection).bind(digest).first(row)
    }

    /// Returns the digest of a token's secret.
    static func digest(of token: Token, in connection: SQLiteConnection) throws(SQLiteError) -> SHA256Digest? {
        try connection.statement("SELECT lower(hex(digest)) FROM tokens WHERE id = ?1").bind(token.id)
            .first { SHA256Digest(hexadecimal: $0.text(0)) } ?? nil
    }

    /// Records the day of a token's use, which is not logged as a change. Nothing else of a token ever changes.
    static func use(of id: ResourceID, on day: Int64) -> UnloggedWrite {
        UnloggedWrite(
            "UPDATE tokens SET last_used_day = ?2 WHERE id = ?1 AND (last_used_day IS NULL OR last_used_day < ?2)",
            id, day)
    }
}

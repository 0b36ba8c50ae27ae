package import Model

extension ReadConnection {
    /// Returns the viewer of the token with that digest, and the day of the token's last use, or `nil`.
    package func viewer(tokenDigest digest: SHA256Digest) throws(RequestError) -> KnownToken? {
        try viewer(where: "tokens.digest") { $0.bind(digest) }
    }

    /// Returns the viewer of a token, or `nil` if the token does not exist any more.
    package func viewer(token id: ResourceID) throws(RequestError) -> Viewer? {
        try viewer(where: "tokens.id") { $0.bind(id) }?.viewer
    }

    /// Returns the viewer of the token that has the bound value in a column, such as its digest, or `nil`.
    private func viewer(
        where column: StaticString, _ bind: (SQLiteStatement) -> SQLiteStatement
    ) throws(RequestError) -> KnownToken? {
        try query(
            bind(try db.statement(Self.viewers, "\(column)")).first { row throws(SQLiteError) in
                let isSession = row.integer(7) != 0
                let viewer = Viewer(
                    reader: row.id(0), readerKey: row.integer(1),
                    role: try row.choice(2, "readers.role", key: row.integer(1)),
                    access: try row.choice(3, "tokens.access", key: row.integer(1)), token: row.id(4),
                    expiresAt: row.optionalInstant(5),
                    sessionEndsAt: isSession ? row.instant(9).adding(seconds: Token.sessionDaysMax * 86_400) : nil,
                    isSuspended: row.integer(8) != 0)
                return KnownToken(viewer: viewer, lastUsedDay: row.optionalInteger(6), isSession: isSession)
            })
    }

    private static let viewers = SQLVariants<String> { column in
        """
        SELECT readers.id, readers.key, CASE is_librarian WHEN 1 THEN 'librarian' ELSE role END,
            tokens.access, tokens.id, tokens.expires_at, tokens.last_used_day, tokens.is_session,
            readers.suspension IS NOT NULL, tokens.created_at
        FROM tokens JOIN readers ON readers.key = tokens.reader WHERE \(column) = ?1
        """
    }

    /// Returns the first administrator, on whose behalf the local user of the machine acts, or `nil`.
    package func localAdministrator() throws(RequestError) -> Viewer? {
        try query(ReaderTable.firstAdministrator(in: db)).map {
            Viewer(reader: $0.id, readerKey: $0.key, role: $0.role, access: .write, token: nil, expiresAt: nil)
        }
    }
}

/// The viewer of a token, with the token's use.
package struct KnownToken: Sendable {
    package let viewer: Viewer
    /// The stored day of the token's last use.
    package var lastUsedDay: Int64?
    package let isSession: Bool
}

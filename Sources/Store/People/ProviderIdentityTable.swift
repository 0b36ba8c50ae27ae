import Model

/// The table of identities at identity providers. Its rows are not logged.
enum ProviderIdentityTable {
    static func find(
        _ issuer: String, _ subject: String, in connection: SQLiteConnection
    ) throws(SQLiteError) -> RowReference? {
        try connection.statement(
            """
            SELECT readers.id, readers.key FROM identities JOIN readers ON readers.key = identities.reader
            WHERE issuer = ?1 AND subject = ?2
            """
        ).bind(issuer, subject).first { ($0.id(0), $0.integer(1)) }
    }

    /// Returns the change that connects an identity to a reader.
    static func connection(
        of identity: (issuer: String, subject: String), to reader: Int64, at now: Instant
    ) -> UnloggedWrite {
        UnloggedWrite(
            "INSERT INTO identities (issuer, subject, reader, created_at) VALUES (?1, ?2, ?3, ?4)",
            identity.issuer, identity.subject, reader, now)
    }

    /// Returns the change that disconnects an identity from a reader.
    static func disconnection(of identity: ConnectedIdentity, from reader: Int64) -> UnloggedWrite {
        UnloggedWrite(
            "DELETE FROM identities WHERE issuer = ?1 AND subject = ?2 AND reader = ?3", identity.issuer,
            identity.subject, reader)
    }
}

extension WriteState {
    /// Throws if an identity is connected to a reader.
    func demandFree(_ identity: (issuer: String, subject: String)) throws(RequestError) {
        if try query(ProviderIdentityTable.find(identity.issuer, identity.subject, in: db)) != nil {
            throw .refused(.identityTaken, "The identity is already connected to an account. Sign in with it.")
        }
    }
}

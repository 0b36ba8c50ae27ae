import Bytes
package import Model

/// A reader's identity at an identity provider.
package struct ConnectedIdentity: Sendable {
    package let issuer: String
    package let subject: String
    package let createdAt: Instant

    /// The id of the identity in this API, derived from issuer and subject.
    package var id: String {
        let digest = SHA256.digest(of: Array(issuer.utf8) + [0] + Array(subject.utf8))
        return Base64URL.text(of: Array(digest.bytes.prefix(16)))
    }
}

extension ProviderIdentityTable {
    /// Returns all identities of a reader, oldest first.
    static func all(ofReader reader: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> [ConnectedIdentity]
    {
        try connection.statement(
            "SELECT issuer, subject, created_at FROM identities WHERE reader = ?1 ORDER BY created_at, issuer, subject"
        ).bind(reader).all {
            ConnectedIdentity(issuer: $0.text(0), subject: $0.text(1), createdAt: $0.instant(2))
        }
    }
}

extension ReadConnection {
    /// Returns the identities by which a reader can sign in, oldest first.
    package func identities(of reader: Int64) throws(RequestError) -> [ConnectedIdentity] {
        try query(ProviderIdentityTable.all(ofReader: reader, in: db))
    }
}

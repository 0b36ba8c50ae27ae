import JSON
package import Model

/// What a link does, for whoever opens it.
package struct LinkPreview: Sendable {
    private let kind: Link.Kind
    private let makerName: String
    /// The club that an invitation is into.
    private let clubName: String?
    /// The name by which the reader of a reset or a sign-in signs in.
    private let signInName: String?

    fileprivate init(_ row: Statement) {
        kind = Link.Kind(rawValue: row.text(0)) ?? .invitation
        (makerName, clubName, signInName) = (row.text(1), row.optionalText(2), row.optionalText(3))
    }

    package func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 128)
        json.beginObject()
        json.name("kind")
        json.string(kind.rawValue)
        json.name("makerName")
        json.string(makerName)
        for (name, value) in [("clubName", clubName), ("signInName", signInName)] {
            json.name(name)
            if let value { json.string(value) } else { json.null() }
        }
        json.endObject()
        return json.bytes
    }
}

extension ReadConnection {
    /// Returns what the link with that digest does; throws where it was used or has ended.
    package func previewLink(_ digest: Digest, at now: Instant) throws(LecternError) -> LinkPreview {
        let preview = try query { db throws(SQLiteError) in
            try db.statement(Self.linkPreview).bind(1, digest).bind(2, now).first { LinkPreview($0) }
        }
        guard let preview else { throw .linkClosed }
        return preview
    }

    private static let linkPreview = SQL(
        """
        SELECT links.kind, makers.name, clubs.name, accounts.name FROM links
        JOIN readers AS makers ON makers.key = links.maker LEFT JOIN clubs ON clubs.key = links.club
        LEFT JOIN accounts ON accounts.reader = links.reader WHERE links.digest = ?1 AND links.expires_at > ?2
        """)
}

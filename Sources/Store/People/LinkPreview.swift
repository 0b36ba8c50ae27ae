import JSON
package import Model

/// The effect of an unused link, shown to the person who opens it.
package struct LinkPreview: Sendable {
    private let kind: Link.Kind
    private let makerName: String
    /// The club of an invitation.
    private let club: (id: ResourceID, name: String, description: String?)?
    /// The reader of a password reset or sign-in, with the sign-in name if there is one.
    private let reader: (name: String, signInName: String?)?

    fileprivate init(_ row: Statement) throws(SQLiteError) {
        kind = try row.choice(0, "links.kind")
        makerName = row.text(1)
        club = row.optionalText(3).map { (row.id(2), $0, row.optionalText(4)) }
        reader = row.optionalText(5).map { ($0, row.optionalText(6)) }
    }

    package func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.beginObject()
        json.name("kind")
        json.string(kind.rawValue)
        json.name("maker")
        json.beginObject()
        json.name("name")
        json.string(makerName)
        json.endObject()
        json.name("club")
        if let club {
            json.beginObject()
            json.name("id")
            json.id(club.id)
            json.name("name")
            json.string(club.name)
            json.name("description")
            json.value(club.description)
            json.endObject()
        } else {
            json.null()
        }
        json.name("reader")
        if let reader {
            json.beginObject()
            json.name("name")
            json.string(reader.name)
            json.name("signInName")
            json.value(reader.signInName)
            json.endObject()
        } else {
            json.null()
        }
        json.endObject()
        return json.bytes
    }
}

extension ReadConnection {
    /// Returns the effect of the link with that digest. Throws if it was used or has expired.
    package func previewLink(_ digest: Digest, at now: Instant) throws(LecternError) -> LinkPreview {
        let preview = try query { db throws(SQLiteError) in
            try db.statement(Self.linkPreview).bind(1, digest).bind(2, now).first { row throws(SQLiteError) in
                try LinkPreview(row)
            }
        }
        guard let preview else { throw .linkClosed }
        return preview
    }

    private static let linkPreview = SQL(
        """
        SELECT links.kind, makers.name, clubs.id, clubs.name, clubs.description, readers.name, accounts.name FROM links
        JOIN readers AS makers ON makers.key = links.maker LEFT JOIN clubs ON clubs.key = links.club
        LEFT JOIN readers ON readers.key = links.reader LEFT JOIN accounts ON accounts.reader = links.reader
        WHERE links.digest = ?1 AND links.expires_at > ?2
        """)
}

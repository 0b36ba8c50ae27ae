import JSON
package import Model

/// The effect of an unused link or invitation code, shown to the person who opens it.
package struct OneTimeLinkPreview: Sendable {
    fileprivate let kind: String
    fileprivate let makerName: String
    /// The club of an invitation.
    fileprivate var club: Club?
    /// The reader of a password reset or sign-in, with the sign-in name if there is one.
    fileprivate let reader: (name: String, signInName: String?)?
    /// The viewer's membership of the club: the existing one, or the one that the invitation's code would create.
    fileprivate var member: Member?

    package func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.beginObject()
        json.member("kind", kind)
        json.name("maker")
        json.beginObject()
        json.member("name", makerName)
        json.endObject()
        json.name("club")
        if let club {
            json.beginObject()
            json.member("id", club.id)
            json.member("name", club.name)
            json.member("description", club.description)
            json.member("isArchived", club.isArchived)
            json.endObject()
        } else {
            json.null()
        }
        json.name("reader")
        if let reader {
            json.beginObject()
            json.member("name", reader.name)
            json.member("signInName", reader.signInName)
            json.endObject()
        } else {
            json.null()
        }
        if let member {
            json.member("shares", member.shares)
            json.member("sharesWithModerators", member.sharesWithModerators)
        }
        json.endObject()
        return json.bytes
    }
}

extension ReadConnection {
    /// Returns the effect of the link with that digest. Throws if it cannot be used: see `OneTimeLinkTable.valid`.
    package func previewLink(_ digest: SHA256Digest, by makers: RegistrationLinkCreators, at now: Instant)
        throws(RequestError) -> OneTimeLinkPreview
    {
        let preview = try query { db throws(SQLiteError) -> OneTimeLinkPreview? in
            guard let link = try OneTimeLinkTable.valid(digest, by: makers, at: now, in: db) else { return nil }
            var preview = try db.statement(Self.linkPreview).bind(digest).first { row in
                let reader = row.optionalText(1).map { (name: $0, signInName: row.optionalText(2)) }
                return OneTimeLinkPreview(kind: link.purpose.rawValue, makerName: row.text(0), reader: reader)
            }
            if let club = link.clubKey { preview?.club = try ClubTable.find(key: club, in: db) }
            return preview
        }
        guard let preview else { throw .linkClosed }
        return preview
    }

    /// Returns the effect of an invitation's code, and the viewer's sharing in the club. Throws if it was used or has
    /// expired.
    package func previewInvitation(
        _ code: String, for viewer: Viewer?, at now: Instant
    ) throws(RequestError) -> OneTimeLinkPreview {
        let found = try query { db throws(SQLiteError) -> (club: Club, maker: Reader)? in
            guard let invitation = try InvitationTable.find(code: code, in: db), invitation.isOpen(at: now),
                let club = try ClubTable.find(key: invitation.clubKey, in: db),
                let maker = try ReaderTable.find(invitation.maker, in: db)
            else { return nil }
            return (club, maker)
        }
        guard let (club, maker) = found else { throw .closedInvitation }
        var preview = OneTimeLinkPreview(kind: "membership", makerName: maker.name, club: club, reader: nil)
        if let reader = viewer?.readerKey {
            var newMember = Member(CommonResourceFields(id: .zero))
            let settings = try settings(of: reader)?.defaultShareLevel ?? Settings.usualShareLevel
            SharingChoice().apply(to: &newMember, in: club, settings: settings)
            preview.member = try self.club(club.id, of: reader)?.member ?? newMember
        }
        return preview
    }

    private static let linkPreview = SQLText(
        """
        SELECT makers.name, readers.name, accounts.name FROM links
        JOIN readers AS makers ON makers.key = links.maker
        LEFT JOIN readers ON readers.key = links.reader LEFT JOIN accounts ON accounts.reader = links.reader
        WHERE links.digest = ?1
        """)
}

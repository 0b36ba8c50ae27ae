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
        JSONWriter.object { json in
            json.member("kind", kind)
            json.object("maker") { $0.member("name", makerName) }
            if let club {
                json.object("club") { json in
                    json.member("id", club.id)
                    json.member("name", club.name)
                    json.member("description", club.description)
                    json.member("isArchived", club.isArchived)
                }
            } else {
                json.member("club", nil as String?)
            }
            if let reader {
                json.object("reader") { json in
                    json.member("name", reader.name)
                    json.member("signInName", reader.signInName)
                }
            } else {
                json.member("reader", nil as String?)
            }
            if let member {
                json.member("shares", member.shares)
                json.member("sharesWithModerators", member.sharesWithModerators)
            }
        }
    }
}

extension ReadConnection {
    /// Returns the effect of the link with that digest. Throws if it cannot be used: see `OneTimeLinkTable.valid`. Nobody
    /// can use an invitation while registration is closed.
    package func previewLink(
        _ digest: SHA256Digest, _ policy: RegistrationPolicy, at now: Instant
    ) throws(RequestError) -> OneTimeLinkPreview {
        let preview = try query { db throws(SQLiteError) -> OneTimeLinkPreview? in
            guard let link = try OneTimeLinkTable.valid(digest, by: policy.linkMakers, at: now, in: db),
                policy.mode != .closed || link.purpose != .invitation,
                let maker = try ReaderTable.find(key: link.makerKey, in: db)
            else { return nil }
            let reader = try link.readerKey.flatMap { key throws(SQLiteError) in
                try ReaderTable.find(key: key, in: db).map { reader throws(SQLiteError) in
                    (name: reader.name, signInName: try AccountTable.find(ofReader: key, in: db)?.name)
                }
            }
            let club = try link.clubKey.flatMap { key throws(SQLiteError) in try ClubTable.find(key: key, in: db) }
            return OneTimeLinkPreview(kind: link.purpose.rawValue, makerName: maker.name, club: club, reader: reader)
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
}

package import Model

extension WriteState {
    /// The end of all invitations that a reader made into a club.
    func endOfInvitations(by maker: Member) throws(LecternError) -> [any Proposal] {
        try query { db throws(SQLiteError) in
            try InvitationTable.all(maker: maker.readerKey, club: maker.clubKey, in: db).map {
                Write<InvitationTable>(before: $0, after: nil)
            }
        }
    }
}

/// Makes an invitation.
package struct CreateInvitation: Command {
    let id: ResourceID
    let club: ResourceID
    let code: String
    let draft: InvitationDraft
    let viewer: Viewer
    let now: Instant

    /// An invitation into a club with a code that nobody can guess.
    package init(
        id: ResourceID, club: ResourceID, code: String, draft: InvitationDraft, viewer: Viewer, now: Instant
    ) {
        self.id = id
        self.club = club
        self.code = code
        self.draft = draft
        self.viewer = viewer
        self.now = now
    }

    /// See `ClubAction.invite`.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let (club, _) = try state.openClub(club, viewer, .invite)
        var invitation = Invitation(
            id: id, club: (club.id, club.key), maker: (viewer.reader, viewer.readerKey), usesMax: draft.usesMax,
            expiresAt: draft.expiresAt, createdAt: now)
        invitation.code = code
        return Decision([Write<InvitationTable>(before: nil, after: invitation)])
    }
}

/// Revokes an invitation.
package struct DeleteInvitation: Command {
    let id: ResourceID
    let club: ResourceID
    let viewer: Viewer

    /// The end of an invitation.
    package init(id: ResourceID, club: ResourceID, viewer: Viewer) {
        self.id = id
        self.club = club
        self.viewer = viewer
    }

    /// See `ClubAction.invite`.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let id = id
        let (club, _) = try state.club(club, viewer, .invite)
        let found = try state.query { db throws(SQLiteError) in try InvitationTable.find(id, in: db) }
        guard let found, found.clubKey == club.key else { throw .notFound }
        return Decision([Write<InvitationTable>(before: found, after: nil)])
    }
}

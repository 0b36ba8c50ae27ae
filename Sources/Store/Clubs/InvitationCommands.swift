package import Model

extension Command {
    /// Creates an invitation to a club with an unguessable code; see `ClubAction.invite`.
    package static func createInvitation(to club: ResourceID, _ draft: InvitationDraft, code: String) -> Command {
        Command { state, actor throws(RequestError) in
            let (club, _) = try state.openClub(club, actor, .invite)
            var invitation = Invitation(
                id: actor.newID, club: (club.id, club.key), maker: actor.reader, usesMax: draft.usesMax,
                expiresAt: draft.expiresAt, createdAt: actor.now)
            invitation.code = code
            return CommandDecision([RowWrite<InvitationTable>(before: nil, after: invitation)])
        }
    }

    /// Deletes an invitation; see `ClubAction.invite`.
    package static func deleteInvitation(_ id: ResourceID, to club: ResourceID) -> Command {
        deletion(InvitationTable.self) { state, actor throws(RequestError) in
            let (club, _) = try state.club(club, actor, .invite)
            return try state.found(InvitationTable.find(id, of: club.key, in: state.db))
        }
    }
}

extension WriteState {
    /// Returns the changes that delete all invitations of a member to a club.
    func endOfInvitations(by maker: Member) throws(RequestError) -> [any CommandChange] {
        try ending(InvitationTable.self, InvitationTable.all(maker: maker.readerKey, club: maker.clubKey, in: db))
    }
}

package import Model

extension Command {
    /// Creates a request to join a listed club. Members and banned readers may not; a second request returns the
    /// waiting one.
    package static func createJoinRequest(_ draft: JoinRequestDraft) -> Command {
        Command { state, actor throws(RequestError) in
            guard let listing = try state.query(ClubListingTable.find(draft.club, in: state.db)) else {
                throw .violation("/club", "there is no such listed club")
            }
            let reader = actor.reader
            guard try state.query(MemberTable.find(reader: reader.key, club: listing.key, in: state.db)) == nil else {
                throw .refused(.alreadyMember, "You are a member of this club already.")
            }
            if try state.removal(of: reader.key, from: listing.key)?.isBanned == true {
                throw .refused(.removedFromClub, "You are banned from this club: you cannot send join requests.")
            }
            if let waiting = try state.query(
                JoinRequestTable.waiting(reader: reader.key, club: listing.key, in: state.db))
            {
                return CommandDecision([RowWrite<JoinRequestTable>(before: waiting, after: waiting)])
            }
            let request = JoinRequest(
                id: actor.newID, club: (listing.id, listing.key), reader: reader,
                name: try state.name(of: reader.id), message: draft.message, createdAt: actor.now)
            return CommandDecision([RowWrite<JoinRequestTable>(before: nil, after: request)])
        }
    }

    /// Accepts or declines a request; see `ClubAction.invite`. The answer is final.
    package static func updateJoinRequest(_ id: ResourceID, _ patch: JoinRequestPatch) -> Command {
        Command { state, actor throws(RequestError) in
            let old = try state.found(JoinRequestTable.find(id, in: state.db))
            let (club, _) = try state.openClub(old.club, actor, .invite)
            try actor.precondition.check(old)
            guard let answer = patch.state, answer != old.state else {
                return CommandDecision([RowWrite<JoinRequestTable>(before: old, after: old)])
            }
            guard old.state == .waiting else {
                throw .refused(.requestAnswered, "The request was already answered: \(old.state.rawValue).")
            }
            let update = JoinRequestTable.update(of: old) { $0.state = answer }
            // An import can bring a membership beside a waiting request, or a request beside a membership.
            guard answer == .accepted,
                try state.query(MemberTable.find(reader: old.readerKey, club: club.key, in: state.db)) == nil
            else { return CommandDecision([update]) }
            let coming = try state.joining(
                of: (old.reader, old.readerKey), named: state.name(of: old.reader), to: club, at: actor.now)
            let removal = try state.removal(of: old.readerKey, from: club.key)
            return CommandDecision(
                [update] + coming.member + coming.after
                    + (removal == nil ? [] : [RowWrite<MemberRemovalTable>(before: removal, after: nil)]))
        }
    }

    /// Deletes one of the actor's own requests, answered or not. Requests of others are not found.
    package static func deleteJoinRequest(_ id: ResourceID) -> Command {
        deletion(JoinRequestTable.self) { state, actor throws(RequestError) in
            try state.found(JoinRequestTable.find(id, in: state.db)) { $0.readerKey == actor.reader.key }
        }
    }
}

extension WriteState {
    /// Returns the changes that accept the actor's waiting request after the actor joined in another way.
    func answered(_ actor: CommandActor, _ club: Club) throws(RequestError) -> [any CommandChange] {
        guard let waiting = try query(JoinRequestTable.waiting(reader: actor.reader.key, club: club.key, in: db)) else {
            return []
        }
        return [JoinRequestTable.update(of: waiting) { $0.state = .accepted }]
    }
}

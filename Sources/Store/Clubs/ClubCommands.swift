package import Model

extension Command {
    /// Creates a club with the members of the body. Any reader may; the founder is its first owner.
    package static func createClub(_ patch: ClubPatch) -> Command {
        Command { state, actor throws(RequestError) in
            var club = Club(id: actor.newID, name: "", createdAt: actor.now)
            patch.apply(to: &club)
            club.key = try state.query(ClubTable.rows.nextKey(in: state.db))
            let owner = try state.joining(
                of: actor.reader, named: state.name(of: actor.reader.id), as: .owner, to: club, saying: SharingChoice(),
                at: actor.now)
            return CommandDecision(
                owner.member + [RowWrite<ClubTable>(before: nil, after: club)] + owner.after
                    + (try state.listing(of: club, id: club.id, now: actor.now)),
                subject: owner.member.count)
        }
    }

    /// Changes a club's name and rules; see `ClubAction.edit`.
    package static func updateClub(_ id: ResourceID, _ patch: ClubPatch) -> Command {
        Command { state, actor throws(RequestError) in
            let (old, _) = try state.club(id, actor, .edit)
            var new = old
            patch.apply(to: &new)
            try actor.precondition.check(old)
            var changes: [any CommandChange] = [RowWrite<ClubTable>(before: old, after: new)]
            if new.moderatorsSeeAhead != old.moderatorsSeeAhead {
                let members = try state.query(MemberTable.all(of: "club", old.key, in: state.db))
                for member in members where member.role.moderates {
                    changes.append(state.markForAll(of: member, in: new))
                }
            }
            return CommandDecision(changes + (try state.listing(of: new, id: id, now: actor.now)))
        }
    }

    /// Deletes a club with all its contents; see `ClubAction.delete`. Each member receives an event.
    package static func deleteClub(_ id: ResourceID) -> Command {
        Command { state, actor throws(RequestError) in
            let (club, _) = try state.club(id, actor, .delete)
            try actor.precondition.check(club)
            let end = try state.end(of: club, now: actor.now)
            return CommandDecision(end.changes, subject: end.subject)
        }
    }
}

extension WriteState {
    /// Returns a club and the actor's membership. Throws `notFound` if the actor is not a member.
    func club(_ id: ResourceID, _ actor: CommandActor, _ action: ClubAction) throws(RequestError) -> (Club, Member) {
        let club = try found(ClubTable.find(id, in: db))
        let member = try found(MemberTable.find(reader: actor.reader.key, club: club.key, in: db))
        try ClubRights.demand(action, of: member.role)
        return (club, member)
    }

    /// Returns a club and the actor's membership, or throws if the club is archived. Deletions, and the management of
    /// the club and its members, use `club(_:_:_:)` instead.
    func openClub(_ id: ResourceID, _ actor: CommandActor, _ action: ClubAction) throws(RequestError) -> (Club, Member)
    {
        let (club, member) = try club(id, actor, action)
        guard !club.isArchived else {
            throw .refused(
                .clubArchived,
                "The club is archived: nothing can be written, planned or answered in it. Its owner can set isArchived to false."
            )
        }
        return (club, member)
    }

    /// Returns the changes to a club's listing after a change of the club, or after its end if `club` is `nil`.
    func listing(of club: Club?, id: ResourceID, now: Instant) throws(RequestError) -> [any CommandChange] {
        let before = try query(ClubListingTable.find(id, in: db))
        var after = club.flatMap { ClubListing(of: $0, at: now) }
        if let before { after?.createdAt = before.createdAt }
        return before == nil && after == nil ? [] : [RowWrite<ClubListingTable>(before: before, after: after)]
    }

    func name(of reader: ResourceID) throws(RequestError) -> String {
        try query(ReaderTable.find(reader, in: db)?.name) ?? ""
    }
}

package import Model

extension Command {
    /// Founds a club with the members of a whole body; its founder is its first owner. Every reader may.
    package static func createClub(_ patch: ClubPatch) -> Command {
        Command { state, asker throws(LecternError) in
            var club = Club(id: asker.newID, name: "", createdAt: asker.now)
            patch.apply(to: &club)
            club.key = try state.read(ClubTable.nextKey(in: state.db))
            let owner = try state.coming(
                of: asker.reader, as: .owner, to: club, saying: SaidSharing(), at: asker.now)
            return Decision(
                owner.member + [Write<ClubTable>(before: nil, after: club)] + owner.after
                    + (try state.listing(of: club, id: club.id, now: asker.now)),
                subject: owner.member.count)
        }
    }

    /// Changes what a club is called, and its rules. See `ClubAction.edit`.
    package static func patchClub(_ id: ResourceID, _ patch: ClubPatch) -> Command {
        Command { state, asker throws(LecternError) in
            let (old, _) = try state.club(id, asker, .edit)
            var new = old
            patch.apply(to: &new)
            try asker.precondition.check(old)
            var proposals: [any Proposal] = [Write<ClubTable>(before: old, after: new)]
            if new.moderatorsSeeAhead != old.moderatorsSeeAhead {
                let members = try state.read(MemberTable.all(of: old.key, in: state.db))
                for member in members where member.role != .member {
                    proposals.append(state.markingSight(of: member, in: new))
                }
            }
            return Decision(proposals + (try state.listing(of: new, id: id, now: asker.now)))
        }
    }

    /// Ends a club, with all that is in it. See `ClubAction.delete`. Each member is told.
    package static func deleteClub(_ id: ResourceID) -> Command {
        Command { state, asker throws(LecternError) in
            let (club, _) = try state.club(id, asker, .delete)
            try asker.precondition.check(club)
            let end = try state.end(of: club, now: asker.now)
            return Decision(end.proposals, subject: end.subject)
        }
    }

    /// Ends one thing in a club, for who may do so there; what is another club's, or not that member's, is not found.
    static func end<Rows: Table>(
        _: Rows.Type, in club: ResourceID, _ action: ClubAction,
        _ find: @escaping @Sendable (Club, Member, Connection) throws(SQLiteError) -> Rows.Row?
    ) -> Command {
        Command { state, asker throws(LecternError) in
            let (club, member) = try state.club(club, asker, action)
            return Decision([Write<Rows>(before: try state.found(find(club, member, state.db)), after: nil)])
        }
    }
}

extension WriteState {
    /// A club and the asker's place in it; not found for who is no member.
    func club(_ id: ResourceID, _ asker: Asker, _ action: ClubAction) throws(LecternError) -> (Club, Member) {
        let club = try found(ClubTable.find(id, in: db))
        let member = try found(MemberTable.find(reader: asker.reader.key, club: club.key, in: db))
        try Rights.demand(action, of: member.role)
        return (club, member)
    }

    /// The same, of a club that is not archived: for what is written, planned and answered in it. What ends something, and
    /// what manages the club and its members, goes through `club`.
    func openClub(_ id: ResourceID, _ asker: Asker, _ action: ClubAction) throws(LecternError) -> (Club, Member) {
        let (club, member) = try club(id, asker, action)
        guard !club.isArchived else {
            throw .refused(
                .clubArchived, "The club is archived: nothing is written, planned or answered in it any more.")
        }
        return (club, member)
    }

    /// What changes for everyone when a club is this from now on; nil when it ends.
    func listing(of club: Club?, id: ResourceID, now: Instant) throws(LecternError) -> [any Proposal] {
        let before = try read(ListingTable.find(id, in: db))
        var after = club.flatMap { Listing(of: $0, at: now) }
        if let before { after?.createdAt = before.createdAt }
        return before == nil && after == nil ? [] : [Write<ListingTable>(before: before, after: after)]
    }

    func name(of reader: ResourceID) throws(LecternError) -> String {
        try read(ReaderTable.find(reader, in: db)?.name) ?? ""
    }
}

package import Model

extension WriteState {
    /// A club and the viewer's place in it; not found for who is no member.
    func club(_ id: ResourceID, _ viewer: Viewer, _ action: ClubAction) throws(LecternError) -> (Club, Member) {
        guard let club = try query({ db throws(SQLiteError) in try ClubTable.find(id, in: db) }) else {
            throw .notFound
        }
        let member = try query { db throws(SQLiteError) in
            try MemberTable.find(reader: viewer.readerKey, club: club.key, in: db)
        }
        guard let member else { throw .notFound }
        try Rights.demand(action, of: member.role)
        return (club, member)
    }

    /// The same, of a club that is not archived: for what is written, planned and answered in it. What ends something, and
    /// what manages the club and its members, goes through `club`.
    func openClub(_ id: ResourceID, _ viewer: Viewer, _ action: ClubAction) throws(LecternError) -> (Club, Member) {
        let (club, member) = try club(id, viewer, action)
        guard !club.isArchived else {
            throw .refused(
                .clubArchived, "The club is archived: nothing is written, planned or answered in it any more.")
        }
        return (club, member)
    }

    /// What changes for everyone when a club is this from now on; nil when it ends.
    func listing(of club: Club?, id: ResourceID, now: Instant) throws(LecternError) -> [any Proposal] {
        let before = try query { db throws(SQLiteError) in try ListingTable.find(id, in: db) }
        var after = club.flatMap { Listing(of: $0, at: now) }
        if let before { after?.createdAt = before.createdAt }
        return before == nil && after == nil ? [] : [Write<ListingTable>(before: before, after: after)]
    }

    /// The steps for a member whose right to see ahead may have changed.
    func sight(of member: Member, in club: Club) throws(LecternError) -> [any Proposal] {
        let seesAll = club.moderatorsSeeAhead && member.role != .member
        return try consequences(reader: member.readerKey, place: -club.key, progress: seesAll ? .whole : .none)
    }

    func name(of reader: ResourceID) throws(LecternError) -> String {
        try query { db throws(SQLiteError) in try ReaderTable.find(reader, in: db)?.name } ?? ""
    }
}

/// Founds a club; its founder is its first owner.
package struct CreateClub: Command {
    let id: ResourceID
    let member: ResourceID
    let patch: ClubPatch
    let viewer: Viewer
    let now: Instant

    /// A club with the members of a whole body.
    package init(id: ResourceID, patch: ClubPatch, viewer: Viewer, now: Instant) {
        self.id = id
        member = ResourceID(madeAt: now)
        self.patch = patch
        self.viewer = viewer
        self.now = now
    }

    /// Every reader may.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        var club = Club(id: id, name: "", createdAt: now)
        patch.apply(to: &club)
        club.key = try state.query { db throws(SQLiteError) in try ClubTable.nextKey(in: db) }
        let owner = Member(
            id: member, club: (club.id, club.key), reader: (viewer.reader, viewer.readerKey),
            name: try state.name(of: viewer.reader), role: .owner, createdAt: now)
        let coming = try state.coming(of: owner, to: club)
        return Decision(
            coming.before + [Write<MemberTable>(before: nil, after: owner), Write<ClubTable>(before: nil, after: club)]
                + coming.after
                + (try state.listing(of: club, id: id, now: now)),
            subject: coming.before.count + 1)
    }
}

/// Changes what a club is called, and its rules.
package struct PatchClub: Command {
    let id: ResourceID
    let patch: ClubPatch
    let precondition: Precondition
    let viewer: Viewer

    let now: Instant

    /// A merge patch of a club.
    package init(id: ResourceID, patch: ClubPatch, precondition: Precondition, viewer: Viewer, now: Instant) {
        self.now = now
        self.id = id
        self.patch = patch
        self.precondition = precondition
        self.viewer = viewer
    }

    /// See `ClubAction.edit`.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let (old, _) = try state.club(id, viewer, .edit)
        try precondition.check(old)
        var new = old
        patch.apply(to: &new)
        var proposals: [any Proposal] = [Write<ClubTable>(before: old, after: new)]
        if new.moderatorsSeeAhead != old.moderatorsSeeAhead {
            let key = old.key
            let members = try state.query { db throws(SQLiteError) in try MemberTable.all(of: key, in: db) }
            for member in members where member.role != .member { proposals += try state.sight(of: member, in: new) }
        }
        proposals += try state.listing(of: new, id: id, now: now)
        return Decision(proposals)
    }
}

/// Ends a club, with all that is in it.
package struct DeleteClub: Command {
    let id: ResourceID
    let precondition: Precondition
    let viewer: Viewer

    /// The end of a club.
    package init(id: ResourceID, precondition: Precondition, viewer: Viewer) {
        self.id = id
        self.precondition = precondition
        self.viewer = viewer
    }

    /// See `ClubAction.delete`. Each member is told.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let (club, _) = try state.club(id, viewer, .delete)
        try precondition.check(club)
        let members = try state.query { db throws(SQLiteError) in try MemberTable.all(of: club.key, in: db) }
        // Before the club, of which they are part: what others than its members hear of.
        let ends: [any Proposal] = try state.query { db throws(SQLiteError) in
            var ends: [any Proposal] = []
            for member in members {
                ends += try CalendarTable.all(member: member.key, in: db).map {
                    Write<CalendarTable>(before: $0, after: nil)
                }
            }
            for request in try JoinRequestTable.all(club: club.key, in: db) {
                ends += [Write<JoinRequestTable>(before: request, after: nil), TellAsker(before: request, after: nil)]
            }
            return ends
        }
        var steps: [any Proposal] = []
        var told: [any Proposal] = []
        for member in members {
            let going = try state.going(of: member)
            steps += going.steps
            told.append(going.told)
        }
        let before = ends + steps
        let listing = try state.listing(of: nil, id: id, now: .now)
        return Decision(before + [Write<ClubTable>(before: club, after: nil)] + listing + told, subject: before.count)
    }
}

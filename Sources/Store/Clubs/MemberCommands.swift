import JSON
package import Model

extension WriteState {
    /// Clubs of one reader: each costs something at each of their entries, and at each page of their changes.
    static var clubsMax: Int { 200 }

    /// What a reader's coming brings: before it how far they have read, after it what they are told and see.
    func coming(of member: Member, to club: Club) throws(LecternError) -> (
        before: [any Proposal], after: [any Proposal]
    ) {
        let reader = member.readerKey
        let clubs = try query { db throws(SQLiteError) in try MemberTable.all(ofReader: reader, in: db).count }
        guard clubs < Self.clubsMax else {
            throw .limitReached(
                limit: "clubsMax", max: Self.clubsMax, "A reader is in \(Self.clubsMax) clubs at most. Leave one first."
            )
        }
        // Kept for members only: a reader who was in no club before may have read since.
        let steps = try query { db throws(SQLiteError) in
            var steps: [any Proposal] = []
            for book in Set(try Reach.books(of: reader, in: db) + Reach.places(of: reader, in: db).filter { $0 > 0 })
                .sorted()
            {
                let furthest = try Reach.furthest(reader, book: book, in: db)
                if try Reach.now(reader, book, in: db) != furthest {
                    steps.append(ReachStep(reader: reader, place: book, to: furthest))
                }
            }
            return steps
        }
        let seesAll: [any Proposal] =
            club.moderatorsSeeAhead && member.role != .member
            ? [ReachStep(reader: reader, place: -club.key, to: .whole)] : []
        return (steps + seesAll, [TellReader(of: .created, club: club.id, reader: reader)])
    }

    /// What a reader's going ends: their sight of the club, and, with their last club, the keeping of how far they are.
    func going(of member: Member) throws(LecternError) -> (steps: [any Proposal], told: any Proposal) {
        let reader = member.readerKey
        let places = try query { db throws(SQLiteError) in
            let others = try MemberTable.all(ofReader: reader, in: db).contains { $0.id != member.id }
            return try Reach.places(of: reader, in: db).filter { !others || $0 == -member.clubKey }
        }
        return (
            places.map { ReachStep(reader: reader, place: $0, to: .none) },
            TellReader(of: .deleted, club: member.club, reader: reader)
        )
    }
}

extension WriteState {
    /// What goes with a member: their standings, their answers, their calendars.
    func traces(of member: Member) throws(LecternError) -> [any Proposal] {
        try query { db throws(SQLiteError) in
            try StandingTable.all(of: .member(member.key), in: db).map {
                Write<StandingTable>(before: $0.0, after: nil)
            }
                + AttendanceTable.all(member: member.key, in: db).map { Write<AttendanceTable>(before: $0, after: nil) }
                + CalendarTable.all(member: member.key, in: db).map { Write<CalendarTable>(before: $0, after: nil) }
        }
    }
}

/// Comes into a club by an invitation.
package struct JoinClub: Command {
    let id: ResourceID
    let code: String
    let viewer: Viewer
    let now: Instant

    /// The viewer's coming.
    package init(id: ResourceID, code: String, viewer: Viewer, now: Instant) {
        self.id = id
        self.code = code
        self.viewer = viewer
        self.now = now
    }

    /// Who has the code of an open invitation may, unless they were taken out of the club. A code that was never given, or
    /// is used up, or too old, all look alike.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let code = code
        let found = try state.query { db throws(SQLiteError) in try InvitationTable.find(code: code, in: db) }
        guard let old = found,
            let club = try state.query({ db throws(SQLiteError) in try ClubTable.find(old.club, in: db) })
        else { throw Self.closed }
        let reader = viewer.readerKey
        let already = try state.query { db throws(SQLiteError) in
            try MemberTable.find(reader: reader, club: club.key, in: db)
        }
        if let already { return Decision([Write<MemberTable>(before: already, after: already)]) }
        guard old.isOpen(at: now) else { throw Self.closed }
        guard !club.isArchived else {
            throw .refused(.clubArchived, "The club is archived: nobody comes to it any more.")
        }
        guard try state.removal(of: reader, from: club) == nil else {
            throw .refused(
                .removedFromClub, "You were taken out of this club: no code lets you back in, its moderators may.")
        }
        var used = old
        used.uses += 1
        let member = Member(
            id: id, club: (club.id, club.key), reader: (viewer.reader, reader), name: try state.name(of: viewer.reader),
            role: .member, createdAt: now)
        let coming = try state.coming(of: member, to: club)
        return Decision(
            coming.before + [Write<MemberTable>(before: nil, after: member)] + coming.after
                + [Write<InvitationTable>(before: old, after: used)] + (try state.answered(viewer, club)),
            subject: coming.before.count)
    }

    private static let closed = LecternError.invalid([
        Violation(pointer: "/invitation", detail: "is no code of an open invitation")
    ])
}

/// Gives a member another role.
package struct PatchMember: Command {
    let club: ResourceID
    let reader: ResourceID
    let patch: MemberPatch
    let precondition: Precondition
    let viewer: Viewer

    /// A merge patch of a member.
    package init(
        club: ResourceID, reader: ResourceID, patch: MemberPatch, precondition: Precondition, viewer: Viewer
    ) {
        self.club = club
        self.reader = reader
        self.patch = patch
        self.precondition = precondition
        self.viewer = viewer
    }

    /// Of roles see `ClubAction.changeRoles`; there is always an owner. What a member shares only they say.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let (club, own) = try state.club(club, viewer, .see)
        if case .set = patch.role { try Rights.demand(.changeRoles, of: own.role) }
        let old = try state.member(reader, of: club)
        if old.id != own.id {
            if case .set = patch.shares { throw .refused(.memberOnly, "Only the member may say what they share.") }
            // Whoever says nothing must be allowed to say something.
            try Rights.demand(.changeRoles, of: own.role)
        }
        try precondition.check(old)
        var new = old
        patch.role.apply(to: &new.role)
        patch.shares.apply(to: &new.shares)
        if old.role == .owner, new.role != .owner { try state.demandAnotherOwner(of: club, than: old) }
        let sight = new.role == old.role ? [] : try state.sight(of: new, in: club)
        let standings = new.shares == old.shares ? [] : try state.standings(of: .member(new.key), sharing: new.shares)
        let invitations = Rights.allow(.invite, new.role) ? [] : try state.endOfInvitations(by: old)
        return Decision([Write<MemberTable>(before: old, after: new)] + sight + standings + invitations)
    }
}

/// Ends a membership: one's own, or another's.
package struct DeleteMember: Command {
    let club: ResourceID
    let reader: ResourceID
    let isBanned: Bool
    let precondition: Precondition
    let viewer: Viewer
    let now: Instant

    /// A reader's going from a club. `isBanned`: another's, who may not even ask to come back.
    package init(
        club: ResourceID, reader: ResourceID, isBanned: Bool, precondition: Precondition, viewer: Viewer, now: Instant
    ) {
        self.club = club
        self.reader = reader
        self.isBanned = isBanned
        self.precondition = precondition
        self.viewer = viewer
        self.now = now
    }

    /// See `ClubAction.leave`, `removeMembers` and `removeModerators`; there is always an owner. With the member their
    /// invitations end, and who was taken out is remembered.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let (club, own) = try state.club(club, viewer, .leave)
        let member = try state.member(reader, of: club)
        if member.id != own.id {
            try Rights.demand(member.role == .member ? .removeMembers : .removeModerators, of: own.role)
        }
        try precondition.check(member)
        if member.role == .owner { try state.demandAnotherOwner(of: club, than: member) }
        let traces = try state.traces(of: member)
        let going = try state.going(of: member)
        var ends = try state.endOfInvitations(by: member)
        if member.id != own.id {
            let removal = Removal(id: ResourceID(madeAt: now), of: member, isBanned: isBanned, createdAt: now)
            ends.append(Write<RemovalTable>(before: nil, after: removal))
        }
        return Decision(
            traces + [Write<MemberTable>(before: member, after: nil)] + going.steps + [going.told] + ends,
            subject: traces.count)
    }
}

extension WriteState {
    func member(_ reader: ResourceID, of club: Club) throws(LecternError) -> Member {
        let members = try query { db throws(SQLiteError) in try MemberTable.all(of: club.key, in: db) }
        guard let member = members.first(where: { $0.reader == reader }) else { throw .notFound }
        return member
    }

    func demandAnotherOwner(of club: Club, than member: Member) throws(LecternError) {
        let members = try query { db throws(SQLiteError) in try MemberTable.all(of: club.key, in: db) }
        guard members.contains(where: { $0.role == .owner && $0.id != member.id }) else {
            throw .refused(
                .lastOwner,
                "A club always has an owner. Make another member one first, or DELETE /v1/clubs/\(club.id) ends the club."
            )
        }
    }
}

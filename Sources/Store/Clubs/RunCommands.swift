import JSON
package import Model

extension Command {
    /// Runs on the list of one club, besides proposals.
    static let clubBooksMax = 500
    /// Proposals that wait in one club, and those of one member.
    static let (proposalsMax, proposalsOfMemberMax) = (200, 20)

    /// A club may read a book, is to, or does; also once more. Without a state it is a proposal, which every member may make; for
    /// anything else, and for a place on the list, see `ClubAction.plan`.
    package static func createRun(of club: ResourceID, _ draft: RunDraft) -> Command {
        Command { state, asker throws(LecternError) in
            let (club, member) = try state.openClub(club, asker, .takePart)
            let book = try state.book(named: draft.book)
            let blank = try state.blankRun(of: book, in: club, asker)
            var new = draft.fields.applied(to: blank)
            if new.state != .proposed || new.place != blank.place { try Rights.demand(.plan, of: member.role) }
            if new.state == .proposed { new.propose(by: asker.reader) }
            try state.demandPossible(new, was: nil, by: asker)
            return try state.decision(nil, to: new)
        }
    }

    /// Changes what a run is to a club, and decides on a proposal. See `ClubAction.plan`.
    package static func patchRun(_ id: ResourceID, of club: ResourceID, _ patch: ClubBookPatch) -> Command {
        Command { state, asker throws(LecternError) in
            let (club, _) = try state.openClub(club, asker, .plan)
            let old = try state.found(ClubBookTable.find(run: id, of: club.key, in: state.db))
            return try state.decision(patch, old, asker)
        }
    }

    /// Takes a run off a club's list, with its milestones and standings. Who proposed it may, until it is decided on; for others
    /// see `ClubAction.plan`.
    package static func deleteRun(_ id: ResourceID, of club: ResourceID) -> Command {
        Command { state, asker throws(LecternError) in
            let (club, member) = try state.openClub(club, asker, .takePart)
            let old = try state.found(ClubBookTable.find(run: id, of: club.key, in: state.db))
            let isWithdrawn = old.state == .proposed && old.proposerKey == asker.reader.key
            if !isWithdrawn { try Rights.demand(.plan, of: member.role) }
            try asker.precondition.check(old)
            return try state.end(of: old)
        }
    }
}

extension WriteState {
    /// A run of a book that comes last on a club's list.
    func blankRun(of book: Book, in club: Club, _ asker: Asker) throws(LecternError) -> ClubBook {
        let place = try read(ClubBookTable.extent(of: club.key, in: db)).place
        return ClubBook(
            id: asker.newID, club: (club.id, club.key), book: (book.id, book.key), place: min(place + 1, 1_000_000),
            state: .proposed, isFirst: try !read(ClubBookTable.has(book: book.key, in: club.key, in: db)),
            createdAt: asker.now)
    }

    /// Refuses a run that cannot be like that.
    func demandPossible(_ new: ClubBook, was old: ClubBook?, by asker: Asker) throws(LecternError) {
        if let edition = new.edition, edition != old?.edition { _ = try self.edition(named: edition, of: new.bookKey) }
        if let starts = new.startsAt, let ends = new.endsAt, ends < starts {
            throw .invalid([Violation(pointer: "/endsAt", detail: "must not be before startsAt")])
        }
        if new.state == .proposed {
            guard old != nil else { return try demandRoomForProposal(in: new.clubKey, by: asker) }
            if old?.state != .proposed {
                throw .invalid([Violation(pointer: "/state", detail: "must not be proposed: it has been decided on")])
            }
        } else if old == nil || old?.state == .proposed {
            guard try read(ClubBookTable.extent(of: new.clubKey, in: db)).count < Command.clubBooksMax else {
                throw .limitReached(
                    limit: "clubBooksMax", max: Command.clubBooksMax,
                    "The list has \(Command.clubBooksMax) books, which is the most that it may have.")
            }
        }
    }

    private func demandRoomForProposal(in club: Int64, by asker: Asker) throws(LecternError) {
        let proposals = try read(ClubBookTable.proposals(in: club, by: asker.reader.key, in: db))
        guard proposals.own < Command.proposalsOfMemberMax else {
            throw .limitReached(
                limit: "proposalsOfMemberMax", max: Command.proposalsOfMemberMax,
                "You have proposed \(Command.proposalsOfMemberMax) books. Withdraw one first.")
        }
        guard proposals.all < Command.proposalsMax else {
            throw .limitReached(
                limit: "proposalsMax", max: Command.proposalsMax,
                "In the club \(Command.proposalsMax) proposals wait, which is the most that may.")
        }
    }

    /// What changes when this is said of a run.
    func decision(
        _ patch: ClubBookPatch, _ old: ClubBook, _ asker: Asker, endsOthers: Bool = false
    ) throws(LecternError) -> Decision {
        try asker.precondition.check(old)
        let new = patch.applied(to: old)
        try demandPossible(new, was: old, by: asker)
        return try decision(old, to: new, endsOthers: endsOthers)
    }

    /// A run becomes another thing to its club. `endsOthers`: whether those that were current are read when it is.
    func decision(_ old: ClubBook?, to new: ClubBook, endsOthers: Bool = false) throws(LecternError) -> Decision {
        var proposals: [any Proposal] = []
        if endsOthers, new.state == .current, old?.state != .current {
            for current in try read(ClubBookTable.current(of: new.clubKey, in: db)) {
                var past = current
                past.state = .read
                proposals.append(Write<ClubBookTable>(before: current, after: past))
                proposals += try standings(of: current, areCurrent: false)
            }
        }
        let subject = proposals.count
        proposals.append(Write<ClubBookTable>(before: old, after: new))
        if let old, (old.state == .current) != (new.state == .current) {
            proposals += try standings(of: new, areCurrent: new.state == .current)
        }
        return Decision(proposals, subject: subject)
    }

    private func standings(of run: ClubBook, areCurrent: Bool) throws(LecternError) -> [any Proposal] {
        try read(StandingTable.all(of: .clubBook(run.key), in: db)).map { old, _ in
            var new = old
            new.isCurrent = areCurrent
            return Write<StandingTable>(before: old, after: new)
        }
    }

    /// A run goes, and what is part of it.
    func end(of run: ClubBook) throws(LecternError) -> Decision {
        let parts =
            try ending(StandingTable.self, StandingTable.all(of: .clubBook(run.key), in: db).map(\.0))
            + ending(MilestoneTable.self, MilestoneTable.all(of: run.key, in: db))
        return Decision(parts + [Write<ClubBookTable>(before: run, after: nil)], subject: parts.count)
    }
}

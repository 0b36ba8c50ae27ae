package import Model

extension Command {
    /// The maximum number of runs of a club, without proposals.
    static let runsMax = CountLimit("runsMax", 500) { "The club has \($0) runs, which is the maximum." }
    /// The maximum number of proposals in a club, and of one member.
    static let proposalsMax = CountLimit("proposalsMax", 200) {
        "The club has \($0) undecided proposals, which is the maximum."
    }
    static let proposalsOfMemberMax = CountLimit("proposalsOfMemberMax", 20) {
        "You have proposed \($0) books, which is the maximum. Withdraw one first."
    }

    /// Adds a run of a book to a club. Any member may propose one; another state, and a place on the list, need
    /// `ClubAction.plan`.
    package static func createRun(of club: ResourceID, _ draft: ClubRunDraft) -> Command {
        Command { state, actor throws(RequestError) in
            let (club, member) = try state.openClub(club, actor, .takePart)
            let book = try state.book(named: draft.book)
            let last = try state.query(ClubRunTable.extent(of: club.key, in: state.db)).place
            let blank = ClubRun(
                id: actor.newID, club: (club.id, club.key), book: book, place: min(last + 1, 1_000_000),
                state: .proposed, createdAt: actor.now)
            var new = draft.fields.applied(to: blank)
            if new.state != .proposed || new.place != blank.place { try ClubRights.demand(.plan, of: member.role) }
            if new.state == .proposed { new.propose(by: actor.reader) }
            try state.demandPossible(new, was: nil, by: actor)
            return CommandDecision([RowWrite<ClubRunTable>(before: nil, after: new)])
        }
    }

    /// Changes a run, or decides on a proposal; see `ClubAction.plan`.
    package static func updateRun(_ id: ResourceID, of club: ResourceID, _ patch: ClubRunPatch) -> Command {
        Command { state, actor throws(RequestError) in
            let (club, _) = try state.openClub(club, actor, .plan)
            let old = try state.found(ClubRunTable.find(id, of: club.key, in: state.db))
            try actor.precondition.check(old)
            let new = patch.applied(to: old)
            try state.demandPossible(new, was: old, by: actor)
            var changes: [any CommandChange] = [RowWrite<ClubRunTable>(before: old, after: new)]
            let isCurrent = new.state == .current
            if isCurrent != (old.state == .current) {
                changes += try state.query(StandingVersions.all(where: "standings.run = ?1", old.key, in: state.db))
                    .flatMap {
                        $0.showing(isCurrent: isCurrent)
                    }
            }
            return CommandDecision(changes)
        }
    }

    /// Deletes a run with its milestones and standings. Members may delete their own undecided proposals; otherwise see
    /// `ClubAction.plan`.
    package static func deleteRun(_ id: ResourceID, of club: ResourceID) -> Command {
        deletion(ClubRunTable.self) { state, actor throws(RequestError) in
            let (club, member) = try state.openClub(club, actor, .takePart)
            let old = try state.found(ClubRunTable.find(id, of: club.key, in: state.db))
            let isWithdrawn = old.state == .proposed && old.proposerKey == actor.reader.key
            if !isWithdrawn { try ClubRights.demand(.plan, of: member.role) }
            return old
        }
    }
}

extension ClubRun {
    /// Throws if the run ends before it starts.
    func demandOrder() throws(RequestError) {
        guard let startsAt, let endsAt, endsAt < startsAt else { return }
        throw .violation("/endsAt", "must not be before startsAt")
    }
}

extension WriteState {
    /// Throws if a run may not be created or changed as requested.
    fileprivate func demandPossible(_ new: ClubRun, was old: ClubRun?, by actor: CommandActor) throws(RequestError) {
        if let edition = new.edition, edition != old?.edition { _ = try self.edition(named: edition, of: new.bookKey) }
        try new.demandOrder()
        if new.state == .proposed {
            guard old != nil else { return try demandRoomForProposal(in: new.clubKey, by: actor) }
            if old?.state != .proposed {
                throw .violation("/state", "must not be proposed: the proposal has been decided")
            }
        } else if old == nil || old?.state == .proposed {
            try Command.runsMax.demandRoom(beside: query(ClubRunTable.extent(of: new.clubKey, in: db)).count)
        }
    }

    private func demandRoomForProposal(in club: Int64, by actor: CommandActor) throws(RequestError) {
        let proposals = try query(ClubRunTable.proposals(in: club, by: actor.reader.key, in: db))
        try Command.proposalsOfMemberMax.demandRoom(beside: proposals.own)
        try Command.proposalsMax.demandRoom(beside: proposals.all)
    }
}

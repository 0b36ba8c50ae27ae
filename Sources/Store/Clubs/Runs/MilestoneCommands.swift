package import Model

extension Command {
    /// The maximum number of milestones of one run.
    static let milestonesMax = CountLimit("milestonesMax", 200) {
        "The run has \($0) milestones, which is the maximum."
    }

    /// Creates a milestone in a run of a club; see `ClubAction.plan`.
    package static func createMilestone(of club: ResourceID, _ patch: MilestonePatch) -> Command {
        Command { state, actor throws(RequestError) in
            let (club, _) = try state.openClub(club, actor, .plan)
            let run = try state.decidedRun(patch.run, of: club)
            try milestonesMax.demandRoom(
                beside: state.query(MilestoneTable.all(of: "run", run.key, in: state.db).count))
            let blank = Milestone(id: actor.newID, of: run, dueAt: actor.now, createdAt: actor.now)
            let new = try state.applied(patch, to: blank, in: run, at: actor.now)
            return try state.decision(nil, new, in: run.key)
        }
    }

    /// Changes a milestone; see `ClubAction.plan`.
    package static func updateMilestone(
        _ id: ResourceID, of club: ResourceID, _ patch: MilestonePatch
    ) -> Command {
        Command { state, actor throws(RequestError) in
            let (club, _) = try state.openClub(club, actor, .plan)
            let old = try state.found(MilestoneTable.find(id, of: club.key, in: state.db))
            try actor.precondition.check(old)
            let run = try state.found(ClubRunTable.find(key: old.runKey, in: state.db))
            let new = try state.applied(patch, to: old, in: run, at: actor.now)
            return try state.decision(old, new, in: run.key)
        }
    }

    /// Deletes a milestone; see `ClubAction.plan`.
    package static func deleteMilestone(_ id: ResourceID, of club: ResourceID) -> Command {
        Command { state, actor throws(RequestError) in
            let (club, _) = try state.openClub(club, actor, .plan)
            let old = try state.found(MilestoneTable.find(id, of: club.key, in: state.db))
            try actor.precondition.check(old)
            return try state.decision(old, nil, in: old.runKey)
        }
    }

    /// Logs once for each milestone that it is due, because the row stores that it was.
    static let markDueMilestones = Command { state, actor throws(RequestError) in
        let due = try state.query(
            MilestoneTable.matching(
                "milestones.is_due = 0 AND milestones.due_at <= ?1 ORDER BY milestones.due_at LIMIT ?2", in: state.db
            ).bind(actor.now, dueEventsMax).all(MilestoneTable.row))
        let writes = due.map { MilestoneTable.update(of: $0) { $0.isDue = true } }
        let known = Dictionary(uniqueKeysWithValues: writes.compactMap(\.after).map { ($0.id, $0) })
        var changes: [any CommandChange] = writes
        for run in Set(due.map(\.runKey)).sorted() {
            let all = try state.query(MilestoneTable.all(of: "run", run, in: state.db))
            changes += try state.standings(ofRun: run, milestones: all.map { known[$0.id] ?? $0 })
        }
        return CommandDecision(changes)
    }
}

extension WriteState {
    /// Returns the decision that writes a milestone, and the standings of its run that change with it.
    fileprivate func decision(
        _ old: Milestone?, _ new: Milestone?, in run: Int64
    ) throws(RequestError) -> CommandDecision {
        var milestones = try query(MilestoneTable.all(of: "run", run, in: db))
        milestones.removeAll { $0.id == old?.id }
        if let new { milestones.append(new) }
        // A club may have thousands of standings.
        let isSame = old?.progress == new?.progress && old?.isDue == new?.isDue
        let standings = isSame ? [] : try standings(ofRun: run, milestones: milestones)
        return CommandDecision([RowWrite<MilestoneTable>(before: old, after: new)] + standings)
    }

    fileprivate func applied(
        _ patch: MilestonePatch, to old: Milestone, in run: ClubRun, at now: Instant
    ) throws(RequestError) -> Milestone {
        var new = patch.fields.applied(to: old)
        if let position = patch.position, position != old.position {
            let resolved = try resolved(
                PositionDraft(position), inBook: run.bookKey, edition: run.edition, pageCount: run.pageCount)
            (new.progress, new.page, new.position) = (resolved.share, resolved.page, resolved.position)
        }
        // A due milestone stays due unless its date is changed, even if the clock is set back.
        if new.dueAt != old.dueAt { new.isDue = new.dueAt <= now }
        return new
    }
}

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
            try milestonesMax.demandRoom(beside: state.read(MilestoneTable.all(of: "run", run.key, in: state.db).count))
            let blank = Milestone(id: actor.newID, of: run, dueAt: actor.now, createdAt: actor.now)
            let new = try state.applied(patch, to: blank, in: run, at: actor.now)
            return CommandDecision(
                [RowWrite<MilestoneTable>(before: nil, after: new)]
                    + (try state.consequences(of: run.key, without: nil, with: new)))
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
            return CommandDecision(
                [RowWrite<MilestoneTable>(before: old, after: new)]
                    + (try state.consequences(of: old.runKey, without: old, with: new)))
        }
    }

    /// Deletes a milestone; see `ClubAction.plan`.
    package static func deleteMilestone(_ id: ResourceID, of club: ResourceID) -> Command {
        Command { state, actor throws(RequestError) in
            let (club, _) = try state.openClub(club, actor, .plan)
            let old = try state.found(MilestoneTable.find(id, of: club.key, in: state.db))
            try actor.precondition.check(old)
            return CommandDecision(
                [RowWrite<MilestoneTable>(before: old, after: nil)]
                    + (try state.consequences(of: old.runKey, without: old, with: nil)))
        }
    }
}

extension WriteState {
    /// Returns the changes to standings when a run's milestones change.
    fileprivate func consequences(
        of run: Int64, without old: Milestone?, with new: Milestone?
    ) throws(RequestError) -> [any CommandChange] {
        var milestones = try read(MilestoneTable.all(of: "run", run, in: db))
        milestones.removeAll { $0.id == old?.id }
        if let new { milestones.append(new) }
        return try standings(ofRun: run, milestones: milestones)
    }
}

extension WriteState {
    fileprivate func applied(
        _ patch: MilestonePatch, to old: Milestone, in run: ClubRun, at now: Instant
    ) throws(RequestError) -> Milestone {
        var new = patch.fields.applied(to: old)
        if let position = patch.position, position != old.position {
            let resolved = try resolved(
                .position(position), inBook: run.bookKey, edition: run.edition, pageCount: run.pageCount)
            (new.progress, new.page, new.position) = (resolved.share, resolved.page, resolved.position)
        }
        // A due milestone stays due unless its date is changed, even if the clock is set back.
        if new.dueAt != old.dueAt { new.isDue = new.dueAt <= now }
        return new
    }
}

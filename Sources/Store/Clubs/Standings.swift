import Model

extension WriteState {
    /// What a reading's change, or its end, changes in the clubs that it is read with: nothing for who is in no club.
    func standings(of reading: Reading, isDeleted: Bool = false) throws(LecternError) -> [any Proposal] {
        guard reading.isOfMember else { return [] }
        return try query { db throws(SQLiteError) in
            var proposals: [any Proposal] = []
            for (old, sharing) in try StandingTable.all(of: .reading(reading.id), in: db) {
                var new = old
                let milestones = try MilestoneTable.all(of: old.runKey, in: db)
                new.show(reading, sharing, milestones, hasRead: true)
                proposals.append(Write<StandingTable>(before: old, after: isDeleted ? nil : new))
            }
            return proposals
        }
    }

    /// What changes when these standings are shown anew, with other milestones.
    func standings(
        of owner: StandingTable.Owner, milestones: [Milestone]
    ) throws(LecternError) -> [any Proposal] {
        try query { db throws(SQLiteError) in
            var proposals: [any Proposal] = []
            for (old, sharing) in try StandingTable.all(of: owner, in: db) {
                guard let reading = try ReadingTable.find(old.reading, in: db) else { continue }
                var new = old
                new.show(reading, sharing, milestones, hasRead: false)
                proposals.append(Write<StandingTable>(before: old, after: new))
            }
            return proposals
        }
    }

    /// The same when a member shares otherwise: what all of the club are shown becomes another, and what those are who moderate it
    /// comes, becomes another, or goes.
    func standings(of member: Member, before old: Member, at now: Instant) throws(LecternError) -> [any Proposal] {
        let all = try read(StandingTable.all(of: .member(member.key), in: db)).map(\.0)
        var proposals: [any Proposal] = []
        for standing in all where standing.audience == .club {
            if member.shares != old.shares { proposals += try write(standing, over: standing, member.shares) }
            let confided = all.first { $0.audience == .moderators && $0.runKey == standing.runKey }
            guard let sharing = member.sharesWithModerators else {
                proposals += StandingTable.ends(of: confided.map { [$0] } ?? [])
                continue
            }
            guard confided == nil || sharing != old.sharesWithModerators else { continue }
            let blank = standing.confided(id: ResourceID(madeAt: now), at: now)
            proposals += try write(confided ?? blank, over: confided, sharing)
        }
        return proposals
    }

    private func write(
        _ standing: Standing, over old: Standing?, _ sharing: Member.Sharing
    ) throws(LecternError) -> [any Proposal] {
        guard let reading = try read(ReadingTable.find(standing.reading, in: db)) else { return [] }
        var new = standing
        new.show(reading, sharing, try read(MilestoneTable.all(of: standing.runKey, in: db)), hasRead: false)
        return [Write<StandingTable>(before: old, after: new)]
    }
}

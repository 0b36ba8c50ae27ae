import Model

extension WriteState {
    /// What a reading's change, or its end, changes in the clubs that it is read with: nothing for who is in no club.
    func standings(of reading: Reading, isDeleted: Bool = false) throws(LecternError) -> [any Proposal] {
        guard reading.isOfMember else { return [] }
        return try query { db throws(SQLiteError) in
            var proposals: [any Proposal] = []
            for (old, sharing) in try StandingTable.all(of: .reading(reading.id), in: db) {
                var new = old
                let milestones = try MilestoneTable.all(of: old.clubBookKey, in: db)
                new.show(reading, sharing, milestones, hasRead: true)
                proposals.append(Write<StandingTable>(before: old, after: isDeleted ? nil : new))
            }
            return proposals
        }
    }

    /// What changes when these standings are shown anew: with other milestones, or with another sharing.
    func standings(
        of owner: StandingTable.Owner, sharing: Member.Sharing? = nil, milestones: [Milestone]? = nil
    ) throws(LecternError) -> [any Proposal] {
        try query { db throws(SQLiteError) in
            var proposals: [any Proposal] = []
            for (old, current) in try StandingTable.all(of: owner, in: db) {
                guard let reading = try ReadingTable.find(old.reading, in: db) else { continue }
                let milestones =
                    if let milestones { milestones } else { try MilestoneTable.all(of: old.clubBookKey, in: db) }
                var new = old
                new.show(reading, sharing ?? current, milestones, hasRead: false)
                proposals.append(Write<StandingTable>(before: old, after: new))
            }
            return proposals
        }
    }
}

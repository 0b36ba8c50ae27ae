import Model

extension WriteState {
    /// Returns the writes for the standings of a changed or deleted reading. A reader in no club has none.
    func standings(of reading: Reading, isDeleted: Bool = false) throws(RequestError) -> [any CommandChange] {
        guard reading.isOfMember else { return [] }
        let standings = try query(StandingVersions.all(where: "standings.reading = ?1", reading.id, in: db))
        guard !isDeleted else { return standings.flatMap { $0.ends() } }
        var writes: [any CommandChange] = []
        for standing in standings {
            let milestones = try query(MilestoneTable.all(of: "run", standing.club.runKey, in: db))
            writes += standing.showing(reading, milestones, hasRead: true)
        }
        return writes
    }

    /// Returns the writes for the standings of a run whose milestones change.
    func standings(ofRun run: Int64, milestones: [Milestone]) throws(RequestError) -> [any CommandChange] {
        var writes: [any CommandChange] = []
        for standing in try query(StandingVersions.all(where: "standings.run = ?1", run, in: db)) {
            guard let reading = try query(ReadingTable.find(standing.club.reading, in: db)) else { continue }
            writes += standing.showing(reading, milestones, hasRead: false)
        }
        return writes
    }

    /// Returns the writes for the standings of a member whose sharing changes.
    func standings(sharedBy member: Member, at now: Instant) throws(RequestError) -> [any CommandChange] {
        var writes: [any CommandChange] = []
        for old in try query(StandingVersions.all(where: "standings.member = ?1", member.key, in: db)) {
            var standing = old
            (standing.club.shares, standing.club.sharesWithModerators) = (member.shares, member.sharesWithModerators)
            guard let reading = try query(ReadingTable.find(standing.club.reading, in: db)) else { continue }
            let milestones = try query(MilestoneTable.all(of: "run", standing.club.runKey, in: db))
            if standing.moderators == nil, member.sharesWithModerators != nil {
                let moderatorVersion = standing.club.moderatorVersion(reading, milestones, member, at: now)
                writes.append(SeparateModeratorStandingCreation(club: standing.club, moderators: moderatorVersion))
                // Moderators no longer receive the club's version.
                standing.club.hasModeratorVersion = true
            }
            writes += standing.showing(reading, milestones, hasRead: false)
        }
        return writes
    }

    /// Returns the changes that send a member the standings in their new version after a change of their role.
    func standingVersionEvents(to member: Member, before role: ClubMemberRole) throws(RequestError)
        -> [any CommandChange]
    {
        guard member.role.moderates != role.moderates else { return [] }
        return try query(StandingVersions.all(where: "runs.club = ?1", member.clubKey, in: db)).compactMap {
            $0.versionEvent(to: member.readerKey, asModerator: member.role.moderates)
        }
    }
}

extension Standing {
    /// Returns the version of a standing for moderators, for a member who shares with them separately.
    func moderatorVersion(
        _ reading: Reading, _ milestones: [Milestone], _ member: Member, at now: Instant
    ) -> ModeratorStanding {
        var new = ModeratorStanding(of: self, at: now)
        let sharing = member.sharesWithModerators.map(member.shares.wider) ?? member.shares
        new.show(reading, sharing, milestones, hasRead: false)
        return new
    }
}

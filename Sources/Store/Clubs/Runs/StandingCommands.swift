package import Model

extension Command {
    /// Links a reading of the actor to a run; see `ClubAction.takePart`. A member follows a run with one reading, which
    /// a new one replaces.
    package static func createStanding(_ club: ResourceID, _ draft: StandingDraft) -> Command {
        Command { state, actor throws(RequestError) in
            let (club, member) = try state.openClub(club, actor, .takePart)
            let run = try state.decidedRun(draft.run, of: club)
            let standings = try state.query(
                StandingVersions.all(where: "standings.member = ?1", member.key, in: state.db))
            let (reading, isNew) = try state.reading(draft.reading, in: run, beside: standings.map(\.club), actor)
            let old = standings.first { $0.club.runKey == run.key }
            if let old, old.club.reading == reading.id { return CommandDecision([old.unchanged(for: member)]) }
            let milestones = try state.query(MilestoneTable.all(of: "run", run.key, in: state.db))
            var new = Standing(id: actor.newID, in: run, of: member, reading: reading.id, createdAt: actor.now)
            new.show(reading, member.shares, milestones, hasRead: false)
            var created: [any CommandChange] = []
            if member.sharesWithModerators != nil {
                new.hasModeratorVersion = true
                let moderatorVersion = new.moderatorVersion(reading, milestones, member, at: actor.now)
                created.append(RowWrite<ModeratorStandingTable>(before: nil, after: moderatorVersion))
            }
            created.append(RowWrite<StandingTable>(before: nil, after: new))
            // The outcome for a moderator is the moderators' version.
            if member.role.moderates { created.reverse() }
            let begun: [any CommandChange] = isNew ? [RowWrite<ReadingTable>(before: nil, after: reading)] : []
            let before = begun + (old?.ends() ?? [])
            return CommandDecision(before + created, subject: before.count + created.count - 1)
        }
    }

    /// Deletes a standing, but not its reading. Only its member may.
    package static func deleteStanding(_ id: ResourceID, of club: ResourceID) -> Command {
        Command { state, actor throws(RequestError) in
            let (club, member) = try state.club(club, actor, .takePart)
            let found = try state.found(StandingTable.find(id, of: club.key, in: state.db))
            guard found.memberKey == member.key else {
                throw .refused(.memberOnly, "Only the member may stop reading along.")
            }
            let standing = try state.found(
                StandingVersions.all(where: "standings.member = ?1", member.key, in: state.db).first {
                    $0.club.id == id
                })
            if member.role.moderates, let moderators = standing.moderators {
                try actor.precondition.check(moderators)
            } else {
                try actor.precondition.check(standing.club)
            }
            return CommandDecision(standing.ends())
        }
    }
}

extension WriteState {
    /// Returns the actor's reading for a run: the given one, or the open or latest one, or a new one. If the open or
    /// latest one follows another run of the book, the reading that already follows this run is used, or an open one,
    /// or a new one.
    fileprivate func reading(
        _ wanted: ResourceID?, in run: ClubRun, beside standings: [Standing], _ actor: CommandActor
    ) throws(RequestError) -> (Reading, isNew: Bool) {
        if let wanted {
            let found = try query(ReadingTable.find(wanted, in: db))
            guard let found, found.readerKey == actor.reader.key, found.bookKey == run.bookKey else {
                throw .violation("/reading", "is not one of your readings of that book")
            }
            return (found, false)
        }
        let current = try query(ReadingTable.current(reader: actor.reader.key, book: run.bookKey, in: db))
        if let current, !standings.contains(where: { $0.reading == current.id && $0.runKey != run.key }) {
            return (current, false)
        }
        if let followed = standings.first(where: { $0.runKey == run.key })?.reading,
            let reading = try query(ReadingTable.find(followed, in: db))
        {
            return (reading, false)
        }
        if let current, current.isOpen { return (current, false) }
        let book = try found(BookTable.find(key: run.bookKey, in: db))
        return (try newReading(of: book, id: actor.otherID, actor), true)
    }
}

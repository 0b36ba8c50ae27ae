import JSON
package import Model

extension Command {
    /// Reads a club's book along: ties a reading of the asker's to a run of it. See `ClubAction.takePart`. A member follows a run
    /// with one reading at a time; another one takes its place.
    package static func readAlong(_ club: ResourceID, _ draft: StandingDraft) -> Command {
        Command { state, asker throws(LecternError) in
            let (club, member) = try state.openClub(club, asker, .takePart)
            let run = try state.decidedRun(draft.run, of: club)
            let standings = try state.read(StandingTable.all(of: .member(member.key), in: state.db)).map(\.0)
            let (reading, isNew) = try state.reading(draft.reading, in: run, beside: standings, asker)
            let old = standings.filter { $0.runKey == run.key }
            if let shown = old.first(where: { $0.audience == .club }), shown.reading == reading.id {
                return Decision([Write<StandingTable>(before: shown, after: shown)])
            }
            var new = Standing(
                id: asker.newID, in: run, member: (member.reader, member.key), reading: reading.id, createdAt: asker.now
            )
            let milestones = try state.read(MilestoneTable.all(of: run.key, in: state.db))
            new.show(reading, member.shares, milestones, hasRead: false)
            let begun: [any Proposal] = isNew ? [Write<ReadingTable>(before: nil, after: reading)] : []
            let proposals = begun + StandingTable.ends(of: old)
            var shown = [new]
            if let sharing = member.sharesWithModerators {
                var confided = new.confided(id: ResourceID(madeAt: asker.now), at: asker.now)
                confided.show(reading, sharing, milestones, hasRead: false)
                shown.append(confided)
            }
            return Decision(
                proposals + shown.map { Write<StandingTable>(before: nil, after: $0) }, subject: proposals.count)
        }
    }

    /// Reads a club's book along no more; the reading itself stays. The member whose standing it is may.
    package static func deleteStanding(_ id: ResourceID, of club: ResourceID) -> Command {
        Command { state, asker throws(LecternError) in
            let (club, member) = try state.club(club, asker, .takePart)
            let old = try state.found(StandingTable.find(id, of: club.key, in: state.db))
            guard old.memberKey == member.key else {
                throw .refused(.memberOnly, "Only the member may stop reading along.")
            }
            try asker.precondition.check(old)
            let others = try state.read(StandingTable.all(of: .member(member.key), in: state.db)).map(\.0).filter {
                $0.runKey == old.runKey && $0.id != old.id
            }
            return Decision(StandingTable.ends(of: [old] + others))
        }
    }
}

extension WriteState {
    /// The asker's reading that a body names, or their open one, or the latest, or a new one. One that goes with another run of the
    /// book is passed over for that with which they follow this one, and, when it is over, for a new one.
    fileprivate func reading(
        _ wanted: ResourceID?, in run: Run, beside standings: [Standing], _ asker: Asker
    ) throws(LecternError) -> (Reading, isNew: Bool) {
        if let wanted {
            let found = try read(ReadingTable.find(wanted, of: asker.reader, in: db))
            guard let found, found.bookKey == run.bookKey else {
                throw .invalid([Violation(pointer: "/reading", detail: "is no reading of yours of that book")])
            }
            return (found, false)
        }
        let current = try read(ReadingTable.current(reader: asker.reader, book: run.bookKey, in: db))
        if let current, !standings.contains(where: { $0.reading == current.id && $0.runKey != run.key }) {
            return (current, false)
        }
        if let followed = standings.first(where: { $0.runKey == run.key })?.reading,
            let reading = try read(ReadingTable.find(followed, of: asker.reader, in: db))
        {
            return (reading, false)
        }
        if let current, current.isOpen { return (current, false) }
        let earlier = try read(ReadingTable.greatestNumber(reader: asker.reader.key, book: run.bookKey, in: db))
        guard earlier < Reading.numberMax else { throw .tooManyReadings }
        var new = Reading(
            id: asker.otherID, reader: asker.reader, book: (run.book, run.bookKey), number: earlier + 1,
            createdAt: asker.now)
        new.pageCount = run.pageCount
        return (new, true)
    }
}

import JSON
package import Model

extension Command {
    /// Reads a club's book along: ties a reading of the asker's to it. See `ClubAction.takePart`. A member follows a book with
    /// one reading at a time; another one takes its place.
    package static func readAlong(_ club: ResourceID, _ draft: StandingDraft) -> Command {
        Command { state, asker throws(LecternError) in
            let (club, member) = try state.openClub(club, asker, .takePart)
            let book = try state.clubBook(named: draft.book, of: club)
            let (reading, isNew) = try state.reading(draft.reading, of: book, asker)
            let standings = try state.read(StandingTable.all(of: .member(member.key), in: state.db))
            let old = standings.first { $0.0.clubBookKey == book.key }?.0
            if let old, old.reading == reading.id {
                return Decision([Write<StandingTable>(before: old, after: old)])
            }
            var new = Standing(
                id: asker.newID, club: (club.id, club.key), book: (book.book, book.key, book.state == .current),
                member: (member.reader, member.key), reading: reading.id, createdAt: asker.now)
            let milestones = try state.read(MilestoneTable.all(of: book.key, in: state.db))
            new.show(reading, member.shares, milestones, hasRead: false)
            var proposals: [any Proposal] = isNew ? [Write<ReadingTable>(before: nil, after: reading)] : []
            if let old { proposals.append(Write<StandingTable>(before: old, after: nil)) }
            return Decision(proposals + [Write<StandingTable>(before: nil, after: new)], subject: proposals.count)
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
            return Decision([Write<StandingTable>(before: old, after: nil)])
        }
    }
}

extension WriteState {
    /// The asker's reading that a body names, or their current one, or a new one.
    fileprivate func reading(
        _ wanted: ResourceID?, of book: ClubBook, _ asker: Asker
    ) throws(LecternError) -> (Reading, isNew: Bool) {
        if let wanted {
            let found = try read(ReadingTable.find(wanted, of: asker.reader, in: db))
            guard let found, found.bookKey == book.bookKey else {
                throw .invalid([Violation(pointer: "/reading", detail: "is no reading of yours of that book")])
            }
            return (found, false)
        }
        if let current = try read(ReadingTable.current(reader: asker.reader, book: book.bookKey, in: db)) {
            return (current, false)
        }
        var new = Reading(
            id: asker.otherID, reader: asker.reader, book: (book.book, book.bookKey), number: 1, createdAt: asker.now)
        new.pageCount = book.pageCount
        return (new, true)
    }
}

import JSON
package import Model

/// Reads a club's book along: ties a reading of the viewer's to it.
package struct ReadAlong: Command {
    let id: ResourceID
    let reading: ResourceID
    let club: ResourceID
    let draft: StandingDraft
    let viewer: Viewer
    let now: Instant

    /// The viewer's standing in one of a club's books.
    package init(id: ResourceID, club: ResourceID, draft: StandingDraft, viewer: Viewer, now: Instant) {
        self.id = id
        reading = ResourceID(madeAt: now)
        self.club = club
        self.draft = draft
        self.viewer = viewer
        self.now = now
    }

    /// See `ClubAction.takePart`. A member follows a book with one reading at a time; another one takes its place.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let (club, member) = try state.openClub(club, viewer, .takePart)
        let book = try state.clubBook(named: draft.book, of: club)
        let (reading, isNew) = try reading(of: book, state)
        let old = try state.query { db throws(SQLiteError) in
            try StandingTable.all(of: .member(member.key), in: db).first { $0.0.clubBookKey == book.key }?.0
        }
        if let old, old.reading == reading.id { return Decision([Write<StandingTable>(before: old, after: old)]) }
        var new = Standing(
            id: id, club: (club.id, club.key), book: (book.book, book.key, book.state == .current),
            member: (member.reader, member.key), reading: reading.id, createdAt: now)
        let milestones = try state.query { db throws(SQLiteError) in try MilestoneTable.all(of: book.key, in: db) }
        new.show(reading, member.shares, milestones, hasRead: false)
        var proposals: [any Proposal] = isNew ? [Write<ReadingTable>(before: nil, after: reading)] : []
        if let old { proposals.append(Write<StandingTable>(before: old, after: nil)) }
        return Decision(proposals + [Write<StandingTable>(before: nil, after: new)], subject: proposals.count)
    }

    private func reading(of book: ClubBook, _ state: borrowing WriteState) throws(LecternError) -> (Reading, Bool) {
        let viewer = viewer
        if let wanted = draft.reading {
            let found = try state.query { db throws(SQLiteError) in
                try ReadingTable.find(wanted, of: (viewer.reader, viewer.readerKey), in: db)
            }
            guard let found, found.bookKey == book.bookKey else {
                throw .invalid([Violation(pointer: "/reading", detail: "is no reading of yours of that book")])
            }
            return (found, false)
        }
        let current = try state.query { db throws(SQLiteError) in
            try ReadingTable.current(reader: (viewer.reader, viewer.readerKey), book: book.bookKey, in: db)
        }
        if let current { return (current, false) }
        var new = Reading(
            id: reading, reader: (viewer.reader, viewer.readerKey), book: (book.book, book.bookKey), number: 1,
            createdAt: now)
        new.pageCount = book.pageCount
        return (new, true)
    }
}

/// Reads a club's book along no more; the reading itself stays.
package struct DeleteStanding: Command {
    let id: ResourceID
    let club: ResourceID
    let precondition: Precondition
    let viewer: Viewer

    /// The end of the viewer's standing.
    package init(id: ResourceID, club: ResourceID, precondition: Precondition, viewer: Viewer) {
        self.id = id
        self.club = club
        self.precondition = precondition
        self.viewer = viewer
    }

    /// The member whose it is may.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let (club, member) = try state.club(club, viewer, .takePart)
        let id = id
        let found = try state.query { db throws(SQLiteError) in try StandingTable.find(id, of: club.key, in: db) }
        guard let found else { throw .notFound }
        guard found.memberKey == member.key else {
            throw .refused(.memberOnly, "Only the member may stop reading along.")
        }
        try precondition.check(found)
        return Decision([Write<StandingTable>(before: found, after: nil)])
    }
}

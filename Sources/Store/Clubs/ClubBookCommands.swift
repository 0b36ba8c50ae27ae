import JSON
package import Model

extension WriteState {
    /// A book on a club's list; not found for any other.
    func clubBook(_ book: ResourceID, of club: Club) throws(LecternError) -> ClubBook {
        let found = try query { db throws(SQLiteError) in try ClubBookTable.find(book, of: club.key, in: db) }
        guard let found else { throw .notFound }
        return found
    }

    /// A book on a club's list that a body names, or the current one where it names none.
    func clubBook(named book: ResourceID?, of club: Club) throws(LecternError) -> ClubBook {
        let found = try query { db throws(SQLiteError) in try ClubBookTable.find(book, of: club.key, in: db) }
        if let found { return found }
        guard book == nil else {
            throw .invalid([Violation(pointer: "/book", detail: "is not on the club's reading list")])
        }
        throw .refused(.noCurrentBook, "The club has no current book: say which one it is about, or make one current.")
    }

    /// A book becomes another thing to its club: another one that was current is read by then.
    fileprivate func decision(_ old: ClubBook, to new: ClubBook) throws(LecternError) -> Decision {
        try query { db throws(SQLiteError) in
            var proposals: [any Proposal] = []
            if new.state == .current, old.state != .current,
                let current = try ClubBookTable.find(nil, of: new.clubKey, in: db)
            {
                var read = current
                read.state = .read
                proposals.append(Write<ClubBookTable>(before: current, after: read))
                proposals += try standings(of: current, areCurrent: false, in: db)
            }
            let subject = proposals.count
            proposals.append(Write<ClubBookTable>(before: old.version == 0 ? nil : old, after: new))
            if (old.state == .current) != (new.state == .current) {
                proposals += try standings(of: new, areCurrent: new.state == .current, in: db)
            }
            return Decision(proposals, subject: subject)
        }
    }

    private func standings(
        of book: ClubBook, areCurrent: Bool, in db: Connection
    ) throws(SQLiteError) -> [any Proposal] {
        try StandingTable.all(of: .clubBook(book.key), in: db).map { old, _ in
            var new = old
            new.isCurrent = areCurrent
            return Write<StandingTable>(before: old, after: new)
        }
    }
}

/// Puts a book on a club's reading list.
package struct PutClubBook: Command {
    /// Books on the list of one club.
    package static let countMax = 500

    let id: ResourceID
    let club: ResourceID
    let book: ResourceID
    let patch: ClubBookPatch
    let precondition: Precondition
    let viewer: Viewer
    let now: Instant

    /// A book with what a whole body says of it: without a place it comes last, or stays; without a state it is planned.
    package init(
        id: ResourceID, club: ResourceID, book: ResourceID, patch: ClubBookPatch, precondition: Precondition,
        viewer: Viewer, now: Instant
    ) {
        self.id = id
        self.club = club
        self.book = book
        self.patch = patch
        self.precondition = precondition
        self.viewer = viewer
        self.now = now
    }

    /// See `ClubAction.plan`.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let (club, _) = try state.openClub(club, viewer, .plan)
        let wanted = book
        guard let book = try state.query({ db throws(SQLiteError) in try BookTable.find(wanted, in: db) }) else {
            throw .notFound
        }
        let (count, place, known) = try state.query { db throws(SQLiteError) in
            let extent = try ClubBookTable.extent(of: club.key, in: db)
            return (extent.count, extent.place, try ClubBookTable.find(book.id, of: club.key, in: db))
        }
        try precondition.check(known)
        guard known != nil || count < Self.countMax else {
            throw .limitReached(
                limit: "clubBooksMax", max: Self.countMax,
                "The list has \(Self.countMax) books, which is the most that it may have.")
        }
        let old =
            known
            ?? ClubBook(
                id: id, club: (club.id, club.key), book: (book.id, book.key), place: min(place + 1, 1_000_000),
                state: .planned, createdAt: now)
        var new = old
        new.state = .planned
        patch.place.apply(to: &new.place)
        patch.state.apply(to: &new.state)
        return try state.decision(old, to: new)
    }
}

/// Changes what a book is to a club, and where it stands on the list.
package struct PatchClubBook: Command {
    let club: ResourceID
    let book: ResourceID
    let patch: ClubBookPatch
    let precondition: Precondition
    let viewer: Viewer

    /// A merge patch of a book on a club's list.
    package init(
        club: ResourceID, book: ResourceID, patch: ClubBookPatch, precondition: Precondition, viewer: Viewer
    ) {
        self.club = club
        self.book = book
        self.patch = patch
        self.precondition = precondition
        self.viewer = viewer
    }

    /// See `ClubAction.plan`.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let (club, _) = try state.openClub(club, viewer, .plan)
        let old = try state.clubBook(book, of: club)
        try precondition.check(old)
        var new = old
        patch.place.apply(to: &new.place)
        patch.state.apply(to: &new.state)
        return try state.decision(old, to: new)
    }
}

/// Takes a book off a club's list, with its milestones and standings.
package struct DeleteClubBook: Command {
    let club: ResourceID
    let book: ResourceID
    let precondition: Precondition
    let viewer: Viewer

    /// The end of a book on a club's list.
    package init(club: ResourceID, book: ResourceID, precondition: Precondition, viewer: Viewer) {
        self.club = club
        self.book = book
        self.precondition = precondition
        self.viewer = viewer
    }

    /// See `ClubAction.plan`.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let (club, _) = try state.openClub(club, viewer, .plan)
        let old = try state.clubBook(book, of: club)
        try precondition.check(old)
        let parts: [any Proposal] = try state.query { db throws(SQLiteError) in
            try StandingTable.all(of: .clubBook(old.key), in: db).map { Write<StandingTable>(before: $0.0, after: nil) }
                + MilestoneTable.all(of: old.key, in: db).map { Write<MilestoneTable>(before: $0, after: nil) }
        }
        return Decision(parts + [Write<ClubBookTable>(before: old, after: nil)], subject: parts.count)
    }
}

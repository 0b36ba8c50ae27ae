import JSON
package import Model

extension Command {
    /// Books on the list of one club.
    static let clubBooksMax = 500

    /// Puts a book on a club's reading list: without a place it comes last, or stays; without a state it is planned. See
    /// `ClubAction.plan`.
    package static func putClubBook(_ book: ResourceID, of club: ResourceID, _ patch: ClubBookPatch) -> Command {
        Command { state, asker throws(LecternError) in
            let (club, _) = try state.openClub(club, asker, .plan)
            let book = try state.found(BookTable.find(book, in: state.db))
            let extent = try state.read(ClubBookTable.extent(of: club.key, in: state.db))
            let known = try state.read(ClubBookTable.find(book.id, of: club.key, in: state.db))
            try asker.precondition.check(known)
            guard known != nil || extent.count < clubBooksMax else {
                throw .limitReached(
                    limit: "clubBooksMax", max: clubBooksMax,
                    "The list has \(clubBooksMax) books, which is the most that it may have.")
            }
            let old =
                known
                ?? ClubBook(
                    id: asker.newID, club: (club.id, club.key), book: (book.id, book.key),
                    place: min(extent.place + 1, 1_000_000), state: .planned, createdAt: asker.now)
            var new = old
            new.state = .planned
            patch.apply(to: &new)
            return try state.decision(old, to: new)
        }
    }

    /// Changes what a book is to a club, and where it stands on the list. See `ClubAction.plan`.
    package static func patchClubBook(_ book: ResourceID, of club: ResourceID, _ patch: ClubBookPatch) -> Command {
        Command { state, asker throws(LecternError) in
            let (club, _) = try state.openClub(club, asker, .plan)
            let old = try state.clubBook(book, of: club)
            try asker.precondition.check(old)
            var new = old
            patch.apply(to: &new)
            return try state.decision(old, to: new)
        }
    }

    /// Takes a book off a club's list, with its milestones and standings. See `ClubAction.plan`.
    package static func deleteClubBook(_ book: ResourceID, of club: ResourceID) -> Command {
        Command { state, asker throws(LecternError) in
            let (club, _) = try state.openClub(club, asker, .plan)
            let old = try state.clubBook(book, of: club)
            try asker.precondition.check(old)
            let parts =
                try state.ending(
                    StandingTable.self, StandingTable.all(of: .clubBook(old.key), in: state.db).map(\.0))
                + state.ending(MilestoneTable.self, MilestoneTable.all(of: old.key, in: state.db))
            return Decision(parts + [Write<ClubBookTable>(before: old, after: nil)], subject: parts.count)
        }
    }
}

extension WriteState {
    /// A book on a club's list; not found for any other.
    func clubBook(_ book: ResourceID, of club: Club) throws(LecternError) -> ClubBook {
        try found(ClubBookTable.find(book, of: club.key, in: db))
    }

    /// A book on a club's list that a body names, or the current one where it names none.
    func clubBook(named book: ResourceID?, of club: Club) throws(LecternError) -> ClubBook {
        if let found = try read(ClubBookTable.find(book, of: club.key, in: db)) { return found }
        guard book == nil else {
            throw .invalid([Violation(pointer: "/book", detail: "is not on the club's reading list")])
        }
        throw .refused(.noCurrentBook, "The club has no current book: say which one it is about, or make one current.")
    }

    /// A book becomes another thing to its club: another one that was current is read by then.
    fileprivate func decision(_ old: ClubBook, to new: ClubBook) throws(LecternError) -> Decision {
        var proposals: [any Proposal] = []
        if new.state == .current, old.state != .current,
            let current = try read(ClubBookTable.find(nil, of: new.clubKey, in: db))
        {
            var past = current
            past.state = .read
            proposals.append(Write<ClubBookTable>(before: current, after: past))
            proposals += try standings(of: current, areCurrent: false)
        }
        let subject = proposals.count
        proposals.append(Write<ClubBookTable>(before: old.version == 0 ? nil : old, after: new))
        if (old.state == .current) != (new.state == .current) {
            proposals += try standings(of: new, areCurrent: new.state == .current)
        }
        return Decision(proposals, subject: subject)
    }

    private func standings(of book: ClubBook, areCurrent: Bool) throws(LecternError) -> [any Proposal] {
        try read(StandingTable.all(of: .clubBook(book.key), in: db)).map { old, _ in
            var new = old
            new.isCurrent = areCurrent
            return Write<StandingTable>(before: old, after: new)
        }
    }
}

package import Model

// What is said of a club's books by their own ids: of the latest run of each.

extension Command {
    /// Puts a book on a club's reading list: without a place it comes last, or stays; without a state it is planned. Where it is
    /// current from now on, whatever was is read. See `ClubAction.plan`.
    package static func putClubBook(_ book: ResourceID, of club: ResourceID, _ patch: ClubBookPatch) -> Command {
        Command { state, asker throws(LecternError) in
            let (club, _) = try state.openClub(club, asker, .plan)
            let book = try state.found(BookTable.find(book, in: state.db))
            let known = try state.read(ClubBookTable.latest(of: book.id, in: club.key, in: state.db))
            try asker.precondition.check(known)
            var new = if let known { known } else { try state.blankRun(of: book, in: club, asker) }
            new.state = .planned
            patch.apply(to: &new)
            if known == nil, new.state == .proposed { new.propose(by: asker.reader) }
            try state.demandPossible(new, was: known, by: asker)
            return try state.decision(known, to: new, endsOthers: true)
        }
    }

    /// Changes what a book is to a club, and where it stands on the list. See `ClubAction.plan`.
    package static func patchClubBook(_ book: ResourceID, of club: ResourceID, _ patch: ClubBookPatch) -> Command {
        Command { state, asker throws(LecternError) in
            let (club, _) = try state.openClub(club, asker, .plan)
            let old = try state.found(ClubBookTable.latest(of: book, in: club.key, in: state.db))
            return try state.decision(patch, old, asker, endsOthers: true)
        }
    }

    /// Takes a book's latest run off a club's list, with its milestones and standings. See `ClubAction.plan`.
    package static func deleteClubBook(_ book: ResourceID, of club: ResourceID) -> Command {
        Command { state, asker throws(LecternError) in
            let (club, _) = try state.openClub(club, asker, .plan)
            let old = try state.found(ClubBookTable.latest(of: book, in: club.key, in: state.db))
            try asker.precondition.check(old)
            return try state.end(of: old)
        }
    }
}

package import Model

extension WriteState {
    /// What follows when a book's milestones are these from now on.
    fileprivate func consequences(
        of clubBook: Int64, without old: Milestone?, with new: Milestone?
    ) throws(LecternError) -> [any Proposal] {
        var milestones = try query { db throws(SQLiteError) in try MilestoneTable.all(of: clubBook, in: db) }
        milestones.removeAll { $0.id == old?.id }
        if let new { milestones.append(new) }
        return try standings(of: .clubBook(clubBook), milestones: milestones)
    }

    fileprivate func milestone(_ id: ResourceID, of club: Club) throws(LecternError) -> Milestone {
        let found = try query { db throws(SQLiteError) in try MilestoneTable.find(id, of: club.key, in: db) }
        guard let found else { throw .notFound }
        return found
    }
}

/// Sets a milestone of a book that a club reads.
package struct SetMilestone: Command {
    /// Milestones of one book of a club.
    package static let countMax = 200

    let id: ResourceID
    let club: ResourceID
    let patch: MilestonePatch
    let viewer: Viewer
    let now: Instant

    /// A milestone with the members of a whole body.
    package init(id: ResourceID, club: ResourceID, patch: MilestonePatch, viewer: Viewer, now: Instant) {
        self.id = id
        self.club = club
        self.patch = patch
        self.viewer = viewer
        self.now = now
    }

    /// See `ClubAction.plan`.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let (club, _) = try state.openClub(club, viewer, .plan)
        let book = try state.clubBook(named: patch.book, of: club)
        let count = try state.query { db throws(SQLiteError) in try MilestoneTable.all(of: book.key, in: db).count }
        guard count < Self.countMax else {
            throw .limitReached(
                limit: "milestonesMax", max: Self.countMax,
                "The book has \(Self.countMax) milestones, which is the most that it may have.")
        }
        let blank = Milestone(
            id: id, club: (club.id, club.key), book: (book.book, book.key), dueAt: now, createdAt: now)
        let new = try patch.applied(to: blank, pageCount: book.pageCount, at: now)
        return Decision(
            [Write<MilestoneTable>(before: nil, after: new)]
                + (try state.consequences(of: book.key, without: nil, with: new)))
    }
}

/// Changes a milestone.
package struct PatchMilestone: Command {
    let id: ResourceID
    let club: ResourceID
    let patch: MilestonePatch
    let precondition: Precondition
    let viewer: Viewer
    let now: Instant

    /// A merge patch of a milestone.
    package init(
        id: ResourceID, club: ResourceID, patch: MilestonePatch, precondition: Precondition, viewer: Viewer,
        now: Instant
    ) {
        self.id = id
        self.club = club
        self.patch = patch
        self.precondition = precondition
        self.viewer = viewer
        self.now = now
    }

    /// See `ClubAction.plan`.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let (club, _) = try state.openClub(club, viewer, .plan)
        let old = try state.milestone(id, of: club)
        try precondition.check(old)
        let book = try state.clubBook(old.book, of: club)
        let new = try patch.applied(to: old, pageCount: book.pageCount, at: now)
        return Decision(
            [Write<MilestoneTable>(before: old, after: new)]
                + (try state.consequences(of: old.clubBookKey, without: old, with: new)))
    }
}

/// Takes a milestone away.
package struct DeleteMilestone: Command {
    let id: ResourceID
    let club: ResourceID
    let precondition: Precondition
    let viewer: Viewer

    /// The end of a milestone.
    package init(id: ResourceID, club: ResourceID, precondition: Precondition, viewer: Viewer) {
        self.id = id
        self.club = club
        self.precondition = precondition
        self.viewer = viewer
    }

    /// See `ClubAction.plan`.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let (club, _) = try state.openClub(club, viewer, .plan)
        let old = try state.milestone(id, of: club)
        try precondition.check(old)
        return Decision(
            [Write<MilestoneTable>(before: old, after: nil)]
                + (try state.consequences(of: old.clubBookKey, without: old, with: nil)))
    }
}

extension MilestonePatch {
    fileprivate func applied(to old: Milestone, pageCount: Int32?, at now: Instant) throws(LecternError) -> Milestone {
        var new = old
        name.apply(to: &new.name)
        if case .set(let position) = position, !position.says(old.progress, old.page) {
            (new.progress, new.page) = try position.resolved(pageCount)
        }
        dueAt.apply(to: &new.dueAt)
        // What is due stays due, unless it is put off: a clock that is set back takes nothing back.
        if new.dueAt != old.dueAt { new.isDue = new.dueAt <= now }
        return new
    }
}

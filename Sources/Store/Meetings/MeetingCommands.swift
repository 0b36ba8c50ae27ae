import JSON
package import Model

extension Command {
    /// The maximum number of meetings of one club, including past ones.
    static let meetingsMax = CountLimit("meetingsMax", 1000) {
        "The club has \($0) meetings, which is the maximum. Delete old ones."
    }

    /// Creates a meeting with the members of the body; see `ClubAction.plan`.
    package static func createMeeting(of club: ResourceID, _ patch: MeetingPatch) -> Command {
        Command { state, actor throws(RequestError) in
            let (club, _) = try state.openClub(club, actor, .plan)
            try meetingsMax.demandRoom(beside: state.query(MeetingTable.rows.count(of: "club", club.key, in: state.db)))
            var blank = Meeting(
                id: actor.newID, club: (club.id, club.key), startsAt: actor.now, createdAt: actor.now)
            blank.timeZone = try state.settings(of: actor.reader.key).timeZone
            return CommandDecision([
                RowWrite<MeetingTable>(before: nil, after: try state.applied(patch, to: blank, in: club, at: actor.now))
            ])
        }
    }

    /// Changes a meeting; see `ClubAction.plan`.
    package static func updateMeeting(_ id: ResourceID, of club: ResourceID, _ patch: MeetingPatch) -> Command {
        Command { state, actor throws(RequestError) in
            let (club, _) = try state.openClub(club, actor, .plan)
            let old = try state.found(MeetingTable.find(id, of: club.key, in: state.db))
            try actor.precondition.check(old)
            return CommandDecision([
                RowWrite<MeetingTable>(before: old, after: try state.applied(patch, to: old, in: club, at: actor.now))
            ])
        }
    }

    /// Deletes a meeting with all answers; see `ClubAction.plan`.
    package static func deleteMeeting(_ id: ResourceID, of club: ResourceID) -> Command {
        deletion(MeetingTable.self) { state, actor throws(RequestError) in
            let (club, _) = try state.openClub(club, actor, .plan)
            return try state.found(MeetingTable.find(id, of: club.key, in: state.db))
        }
    }

    /// Sets the actor's answer to a meeting; see `ClubAction.takePart`.
    package static func putAttendance(
        _ id: ResourceID, of club: ResourceID, _ answer: MeetingAttendanceAnswer
    ) -> Command {
        Command { state, actor throws(RequestError) in
            let (club, member) = try state.openClub(club, actor, .takePart)
            let meeting = try state.found(MeetingTable.find(id, of: club.key, in: state.db))
            let old = try state.query(
                MeetingAttendanceTable.find(of: member.key, meeting: meeting.key, in: state.db))
            try actor.precondition.check(old)
            var new =
                old
                ?? MeetingAttendance(
                    id: actor.newID, meeting: (meeting.id, meeting.key, club.key), member: member,
                    answer: answer, createdAt: actor.now)
            new.answer = answer
            return CommandDecision([RowWrite<MeetingAttendanceTable>(before: old, after: new)])
        }
    }

    /// Logs once for each meeting that it begins, because the row stores that it did.
    static let beginMeetings = Command { state, actor throws(RequestError) in
        let meetings = try state.query(
            MeetingTable.matching(
                "meetings.has_begun = 0 AND meetings.starts_at <= ?1 ORDER BY meetings.starts_at LIMIT ?2", in: state.db
            ).bind(actor.now, dueEventsMax).all(MeetingTable.row))
        return CommandDecision(meetings.map { MeetingTable.update(of: $0) { $0.hasBegun = true } })
    }
}

extension WriteState {
    /// Returns the changed meeting. Without a book it has no run and no position.
    fileprivate func applied(
        _ patch: MeetingPatch, to old: Meeting, in club: Club, at now: Instant
    ) throws(RequestError) -> Meeting {
        var new = old
        patch.apply(to: &new, at: now)
        patch.book.apply(to: &new.book)
        if new.book != old.book { (new.progress, new.page, new.position) = (nil, nil, nil) }
        let position = patch.position.value
        if patch.position.isNull { (new.progress, new.page, new.position) = (nil, nil, nil) }
        guard let id = new.book else {
            (new.bookKey, new.bookTitle, new.run) = (nil, nil, nil)
            if position != nil { throw .violation("/book", "is required with a position") }
            if patch.run.value != nil { throw .violation("/book", "is required with a run") }
            return new
        }
        let book = try book(named: id)
        if id != old.book { (new.bookKey, new.bookTitle) = (book.key, book.title) }
        let run = try run(of: patch, new, wasOn: old.book, in: club)
        // A deleted run remains in the meeting.
        if !patch.run.isKept || id != old.book { new.run = run?.id }
        if let position, position != new.position {
            let resolved = try resolved(
                PositionDraft(position), inBook: book.key, edition: run?.edition, pageCount: book.pageCount)
            (new.progress, new.page, new.position) = (resolved.share, resolved.page, resolved.position)
        }
        return new
    }

    /// Returns the run of a meeting about a book: the one that the patch names, or, with another book, that of `run(_:of:at:)`.
    private func run(
        of patch: MeetingPatch, _ new: Meeting, wasOn old: ResourceID?, in club: Club
    ) throws(RequestError) -> ClubRun? {
        switch patch.run {
        case .null: return nil
        case .value(let id): return try run(RunReference(run: id, book: new.book), of: club)
        case .absent where new.book != old: return try run(RunReference(run: nil, book: new.book), of: club)
        case .absent, .invalid:
            return try new.run.flatMap { id throws(RequestError) in
                try query(ClubRunTable.find(id, of: club.key, in: db))
            }
        }
    }
}

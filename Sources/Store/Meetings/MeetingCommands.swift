import JSON
package import Model

extension WriteState {
    fileprivate func meeting(_ id: ResourceID, of club: Club) throws(LecternError) -> Meeting {
        let found = try query { db throws(SQLiteError) in try MeetingTable.find(id, of: club.key, in: db) }
        guard let found else { throw .notFound }
        return found
    }

    /// A meeting with what was said of it; without a book there is no position.
    fileprivate func applied(
        _ patch: MeetingPatch, to old: Meeting, at now: Instant
    ) throws(LecternError) -> Meeting {
        var new = old
        patch.apply(to: &new, at: now)
        patch.book.apply(to: &new.book)
        if new.book != old.book { (new.progress, new.page) = (nil, nil) }
        var position: PositionDraft?
        patch.position.apply(to: &position)
        if case .clear = patch.position { (new.progress, new.page) = (nil, nil) }
        guard let id = new.book else {
            new.bookKey = nil
            guard position == nil else {
                throw .invalid([Violation(pointer: "/book", detail: "is required where a position is given")])
            }
            return new
        }
        guard let book = try query({ db throws(SQLiteError) in try BookTable.find(id, in: db) }) else {
            throw .invalid([Violation(pointer: "/book", detail: "there is no such book")])
        }
        new.bookKey = book.key
        if let position, !position.says(new.progress, new.page) {
            let resolved = try position.resolved(book.pageCount)
            (new.progress, new.page) = (resolved.progress, resolved.page)
        }
        return new
    }
}

/// Calls a meeting.
package struct CallMeeting: Command {
    /// Meetings of one club, past ones too.
    package static let countMax = 1000

    let id: ResourceID
    let club: ResourceID
    let patch: MeetingPatch
    let viewer: Viewer
    let now: Instant

    /// A meeting with the members of a whole body.
    package init(id: ResourceID, club: ResourceID, patch: MeetingPatch, viewer: Viewer, now: Instant) {
        self.id = id
        self.club = club
        self.patch = patch
        self.viewer = viewer
        self.now = now
    }

    /// See `ClubAction.plan`.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let (club, _) = try state.openClub(club, viewer, .plan)
        let count = try state.query { db throws(SQLiteError) in try MeetingTable.count(of: club.key, in: db) }
        guard count < Self.countMax else {
            throw .limitReached(
                limit: "meetingsMax", max: Self.countMax,
                "The club has \(Self.countMax) meetings, which is the most that it may have. Delete old ones.")
        }
        let blank = Meeting(id: id, club: (club.id, club.key), startsAt: now, createdAt: now)
        return Decision([Write<MeetingTable>(before: nil, after: try state.applied(patch, to: blank, at: now))])
    }
}

/// Changes a meeting.
package struct PatchMeeting: Command {
    let id: ResourceID
    let club: ResourceID
    let patch: MeetingPatch
    let precondition: Precondition
    let viewer: Viewer
    let now: Instant

    /// A merge patch of a meeting.
    package init(
        id: ResourceID, club: ResourceID, patch: MeetingPatch, precondition: Precondition, viewer: Viewer, now: Instant
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
        let old = try state.meeting(id, of: club)
        try precondition.check(old)
        return Decision([Write<MeetingTable>(before: old, after: try state.applied(patch, to: old, at: now))])
    }
}

/// Calls a meeting off, with all answers to it.
package struct DeleteMeeting: Command {
    let id: ResourceID
    let club: ResourceID
    let precondition: Precondition
    let viewer: Viewer

    /// The end of a meeting.
    package init(id: ResourceID, club: ResourceID, precondition: Precondition, viewer: Viewer) {
        self.id = id
        self.club = club
        self.precondition = precondition
        self.viewer = viewer
    }

    /// See `ClubAction.plan`.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let (club, _) = try state.openClub(club, viewer, .plan)
        let old = try state.meeting(id, of: club)
        try precondition.check(old)
        let answers: [any Proposal] = try state.query { db throws(SQLiteError) in
            try AttendanceTable.all(meeting: old.key, in: db).map { Write<AttendanceTable>(before: $0, after: nil) }
        }
        return Decision(answers + [Write<MeetingTable>(before: old, after: nil)], subject: answers.count)
    }
}

/// Says whether one comes to a meeting.
package struct AnswerMeeting: Command {
    let id: ResourceID
    let meeting: ResourceID
    let club: ResourceID
    let answer: Attendance.Answer
    let viewer: Viewer
    let now: Instant

    /// The viewer's answer.
    package init(
        id: ResourceID, meeting: ResourceID, club: ResourceID, answer: Attendance.Answer, viewer: Viewer, now: Instant
    ) {
        self.id = id
        self.meeting = meeting
        self.club = club
        self.answer = answer
        self.viewer = viewer
        self.now = now
    }

    /// See `ClubAction.takePart`.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let (club, member) = try state.openClub(club, viewer, .takePart)
        let meeting = try state.meeting(meeting, of: club)
        let old = try state.query { db throws(SQLiteError) in
            try AttendanceTable.all(member: member.key, meeting: meeting.key, in: db).first
        }
        var new =
            old
            ?? Attendance(
                id: id, meeting: (meeting.id, meeting.key, club.key), member: (member.reader, member.key),
                answer: answer, createdAt: now)
        new.answer = answer
        return Decision([Write<AttendanceTable>(before: old, after: new)])
    }
}

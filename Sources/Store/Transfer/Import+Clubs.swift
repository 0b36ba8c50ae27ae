import JSON
import Model

// The import of clubs and their contents.

extension ClubTable {
    static func imported(
        _ row: Club, over old: Club?, _ state: borrowing WriteState, _ actor: CommandActor, _ context: ImportContext
    ) throws(RequestError) -> CommandDecision {
        var club = row
        club.key = try state.read(nextKey(in: state.db))
        return CommandDecision([RowWrite<ClubTable>(before: nil, after: club)])
    }
}

extension ClubListingTable {
    static func imported(
        _ row: ClubListing, over old: ClubListing?, _ state: borrowing WriteState, _ actor: CommandActor,
        _ context: ImportContext
    ) throws(RequestError) -> CommandDecision {
        var listing = row
        guard let club = try state.read(ClubTable.find(row.id, in: state.db)) else { throw .unknown("id") }
        guard club.visibility == .listed else {
            throw .refused(.importDiffers, "The club is private here. Change its visibility with PATCH.")
        }
        listing.key = club.key
        return CommandDecision([RowWrite<ClubListingTable>(before: old, after: listing, keepsTimes: true)])
    }
}

extension MemberTable {
    static func imported(
        _ row: Member, over old: Member?, _ state: borrowing WriteState, _ actor: CommandActor, _ context: ImportContext
    ) throws(RequestError) -> CommandDecision {
        guard row.id == Member.id(of: row.reader, in: row.club) else {
            throw .violation("/id", "must be the id that follows from the club and the reader")
        }
        guard try state.read(MemberRemovalTable.find(reader: row.readerKey, club: row.clubKey, in: state.db)) == nil
        else {
            throw .refused(
                .importDiffers, "The reader was removed from the club here. A moderator can let them back in.")
        }
        let club = try state.found(ClubTable.find(key: row.clubKey, in: state.db))
        let steps = try state.visibilityUpdates(of: row.readerKey, as: row.role, to: club)
        return CommandDecision(
            steps + [
                RowWrite<MemberTable>(before: nil, after: row),
                MembershipEvent(of: .created, club: row.club, reader: row.readerKey),
            ], subject: steps.count)
    }
}

extension StandingTable {
    static func imported(
        _ row: Standing, over old: Standing?, _ state: borrowing WriteState, _ actor: CommandActor,
        _ context: ImportContext
    ) throws(RequestError) -> CommandDecision {
        let member = try state.found(MemberTable.find(key: row.memberKey, in: state.db))
        let reading = try state.read(ReadingTable.find(row.reading, in: state.db))
        guard let reading, reading.readerKey == member.readerKey else { throw .unknown("reading") }
        var standing = row
        standing.name = member.name
        standing.isApart = old?.isApart ?? (member.sharesWithModerators != nil)
        // The member may share less here.
        let milestones = try state.read(MilestoneTable.all(of: standing.runKey, in: state.db))
        standing.show(reading, member.shares, milestones, hasRead: false)
        let write = RowWrite<StandingTable>(before: old, after: standing, keepsTimes: true)
        guard old == nil, standing.isApart else { return CommandDecision([write]) }
        let fuller = standing.separated(reading, milestones, member, at: standing.updatedAt ?? actor.now)
        return CommandDecision([write, RowWrite<ModeratorStandingTable>(before: nil, after: fuller)])
    }
}

extension JoinRequestTable {
    static func imported(
        _ row: JoinRequest, over old: JoinRequest?, _ state: borrowing WriteState, _ actor: CommandActor,
        _ context: ImportContext
    ) throws(RequestError) -> CommandDecision {
        CommandDecision([
            RowWrite<JoinRequestTable>(before: nil, after: row), JoinRequestEvent(before: nil, after: row),
        ])
    }
}

extension MeetingTable {
    static func imported(
        _ row: Meeting, over old: Meeting?, _ state: borrowing WriteState, _ actor: CommandActor,
        _ context: ImportContext
    ) throws(RequestError) -> CommandDecision {
        try state.demandRun(row.run, of: row.clubKey, on: row.book)
        var meeting = row
        meeting.bookTitle = try row.bookKey.flatMap { key throws(RequestError) in
            try state.read(BookTable.find(key: key, in: state.db))?.title
        }
        return CommandDecision([RowWrite<MeetingTable>(before: old, after: meeting, keepsTimes: true)])
    }
}

extension MeetingAttendanceTable {
    static func imported(
        _ row: MeetingAttendance, over old: MeetingAttendance?, _ state: borrowing WriteState, _ actor: CommandActor,
        _ context: ImportContext
    ) throws(RequestError) -> CommandDecision {
        var attendance = row
        attendance.name = try state.found(MemberTable.find(key: row.memberKey, in: state.db)).name
        return CommandDecision([RowWrite<MeetingAttendanceTable>(before: old, after: attendance, keepsTimes: true)])
    }
}

extension WriteState {
    /// Throws if a line names a run of another club or book. Notes and meetings keep the id of a deleted run, so an
    /// unknown one is valid.
    func demandRun(_ id: ResourceID?, of club: Int64?, on book: ResourceID?) throws(RequestError) {
        guard let id, let run = try read(ClubRunTable.rows.find(id, in: db)) else { return }
        guard run.clubKey == club, run.book == book else {
            throw .violation("/run", "is a run of another club or another book")
        }
    }
}

import JSON
import Model

// The import of clubs and their contents.

extension ClubTable {
    static func imported(
        _ row: inout Club, over old: Club?, _ line: ImportLine, _ state: borrowing WriteState
    ) throws(RequestError) -> CommandDecision {
        row.key = try state.read(nextKey(in: state.db))
        return CommandDecision([RowWrite<ClubTable>(before: nil, after: row)])
    }
}

extension ClubListingTable {
    static func imported(
        _ row: inout ClubListing, over old: ClubListing?, _ line: ImportLine, _ state: borrowing WriteState
    ) throws(RequestError) -> CommandDecision {
        guard let club = try state.read(ClubTable.find(row.id, in: state.db)) else { throw .unknown("id") }
        guard club.visibility == .listed else {
            throw .refused(.importDiffers, "The club is private here. Change its visibility with PATCH.")
        }
        row.key = club.key
        return CommandDecision([RowWrite<ClubListingTable>(before: old, after: row, keepsTimes: true)])
    }
}

extension MemberTable {
    static func imported(
        _ row: inout Member, over old: Member?, _ line: ImportLine, _ state: borrowing WriteState
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
                MembershipEvent(operation: .created, club: row.club, reader: row.readerKey),
            ], subject: steps.count)
    }
}

extension StandingTable {
    static func imported(
        _ row: inout Standing, over old: Standing?, _ line: ImportLine, _ state: borrowing WriteState
    ) throws(RequestError) -> CommandDecision {
        let member = try state.found(MemberTable.find(key: row.memberKey, in: state.db))
        let reading = try state.read(ReadingTable.find(row.reading, in: state.db))
        guard let reading, reading.readerKey == member.readerKey else { throw .unknown("reading") }
        row.name = member.name
        row.isApart = old?.isApart ?? (member.sharesWithModerators != nil)
        // The member may share less here.
        let milestones = try state.read(MilestoneTable.all(of: "run", row.runKey, in: state.db))
        row.show(reading, member.shares, milestones, hasRead: false)
        let write = RowWrite<StandingTable>(before: old, after: row, keepsTimes: true)
        guard old == nil, row.isApart else { return CommandDecision([write]) }
        let fuller = row.separated(reading, milestones, member, at: row.updatedAt ?? line.now)
        return CommandDecision([write, RowWrite<ModeratorStandingTable>(before: nil, after: fuller)])
    }
}

extension JoinRequestTable {
    static func imported(
        _ row: inout JoinRequest, over old: JoinRequest?, _ line: ImportLine, _ state: borrowing WriteState
    ) throws(RequestError) -> CommandDecision {
        CommandDecision([
            RowWrite<JoinRequestTable>(before: nil, after: row), JoinRequestEvent(reader: row.readerKey),
        ])
    }
}

extension MeetingTable {
    static func imported(
        _ row: inout Meeting, over old: Meeting?, _ line: ImportLine, _ state: borrowing WriteState
    ) throws(RequestError) -> CommandDecision {
        try state.demandRun(row.run, of: row.clubKey, on: row.book)
        row.bookTitle = try row.bookKey.flatMap { key throws(RequestError) in
            try state.read(BookTable.find(key: key, in: state.db))?.title
        }
        return CommandDecision([RowWrite<MeetingTable>(before: old, after: row, keepsTimes: true)])
    }
}

extension MeetingAttendanceTable {
    static func imported(
        _ row: inout MeetingAttendance, over old: MeetingAttendance?, _ line: ImportLine, _ state: borrowing WriteState
    ) throws(RequestError) -> CommandDecision {
        row.name = try state.found(MemberTable.find(key: row.memberKey, in: state.db)).name
        return CommandDecision([RowWrite<MeetingAttendanceTable>(before: old, after: row, keepsTimes: true)])
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

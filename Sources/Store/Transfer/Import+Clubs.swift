import JSON
import Model

// The import of clubs and their contents.

extension ClubTable {
    static func complete(
        _ row: inout Club, over old: Club?, _ line: ImportLine, _ state: borrowing WriteState,
        _ others: inout ImportedChanges
    ) throws(RequestError) {
        row.key = try state.read(rows.nextKey(in: state.db))
    }
}

extension ClubListingTable {
    static func complete(
        _ row: inout ClubListing, over old: ClubListing?, _ line: ImportLine, _ state: borrowing WriteState,
        _ others: inout ImportedChanges
    ) throws(RequestError) {
        guard let club = try state.read(ClubTable.find(row.id, in: state.db)) else { throw .unknown("id") }
        guard club.visibility == .listed else {
            throw .refused(.importDiffers, "The club is private here. Change its visibility with PATCH.")
        }
        row.key = club.key
    }
}

extension MemberTable {
    static func complete(
        _ row: inout Member, over old: Member?, _ line: ImportLine, _ state: borrowing WriteState,
        _ others: inout ImportedChanges
    ) throws(RequestError) {
        guard row.id == Member.id(of: row.reader, in: row.club) else {
            throw .violation("/id", "must be the id that follows from the club and the reader")
        }
        guard try state.read(MemberRemovalTable.find(reader: row.readerKey, club: row.clubKey, in: state.db)) == nil
        else {
            throw .refused(
                .importDiffers, "The reader was removed from the club here. A moderator can let them back in.")
        }
        let club = try state.found(ClubTable.find(key: row.clubKey, in: state.db))
        others.before = try state.visibilityUpdates(of: row.readerKey, as: row.role, to: club)
        others.after = [MembershipEvent(operation: .created, club: row.club, reader: row.readerKey)]
    }
}

extension StandingTable {
    static func complete(
        _ row: inout Standing, over old: Standing?, _ line: ImportLine, _ state: borrowing WriteState,
        _ others: inout ImportedChanges
    ) throws(RequestError) {
        let member = try state.found(MemberTable.find(key: row.memberKey, in: state.db))
        let reading = try state.read(ReadingTable.find(row.reading, in: state.db))
        guard let reading, reading.readerKey == member.readerKey else { throw .unknown("reading") }
        row.name = member.name
        row.isApart = old?.isApart ?? (member.sharesWithModerators != nil)
        // The member may share less here.
        let milestones = try state.read(MilestoneTable.all(of: "run", row.runKey, in: state.db))
        row.show(reading, member.shares, milestones, hasRead: false)
        guard old == nil, row.isApart else { return }
        let fuller = row.separated(reading, milestones, member, at: row.updatedAt ?? line.now)
        others.after = [RowWrite<ModeratorStandingTable>(before: nil, after: fuller)]
    }
}

extension JoinRequestTable {
    static func complete(
        _ row: inout JoinRequest, over old: JoinRequest?, _ line: ImportLine, _ state: borrowing WriteState,
        _ others: inout ImportedChanges
    ) throws(RequestError) {
        others.after = [JoinRequestEvent(reader: row.readerKey)]
    }
}

extension MeetingTable {
    static func complete(
        _ row: inout Meeting, over old: Meeting?, _ line: ImportLine, _ state: borrowing WriteState,
        _ others: inout ImportedChanges
    ) throws(RequestError) {
        try state.demandRun(row.run, of: row.clubKey, on: row.book)
        row.bookTitle = try row.bookKey.flatMap { key throws(RequestError) in
            try state.read(BookTable.find(key: key, in: state.db))?.title
        }
    }
}

extension MeetingAttendanceTable {
    static func complete(
        _ row: inout MeetingAttendance, over old: MeetingAttendance?, _ line: ImportLine, _ state: borrowing WriteState,
        _ others: inout ImportedChanges
    ) throws(RequestError) {
        row.name = try state.found(MemberTable.find(key: row.memberKey, in: state.db)).name
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

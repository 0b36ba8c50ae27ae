import JSON
import Model

// The import of clubs and their contents.

extension ClubTable {
    static func complete(_ imported: inout RowImport<Club>, _ state: borrowing WriteState) throws(RequestError) {
        imported.row.key = try state.query(rows.nextKey(in: state.db))
    }
}

extension ClubListingTable {
    static func complete(_ imported: inout RowImport<ClubListing>, _ state: borrowing WriteState) throws(RequestError) {
        guard let club = try state.query(ClubTable.find(imported.row.id, in: state.db)) else { throw .unknown("id") }
        guard club.visibility == .listed else {
            throw .refused(.importDiffers, "The club is private here. Change its visibility with PATCH.")
        }
        imported.row.key = club.key
    }
}

extension MemberTable {
    static func complete(_ imported: inout RowImport<Member>, _ state: borrowing WriteState) throws(RequestError) {
        guard imported.row.id == Member.id(of: imported.row.reader, in: imported.row.club) else {
            throw .violation("/id", "must be the id that follows from the club and the reader")
        }
        guard
            try state.query(
                MemberRemovalTable.find(reader: imported.row.readerKey, club: imported.row.clubKey, in: state.db))
                == nil
        else {
            throw .refused(
                .importDiffers, "The reader was removed from the club here. A moderator can let them back in.")
        }
        let club = try state.found(ClubTable.find(key: imported.row.clubKey, in: state.db))
        imported.before = try state.visibilityUpdates(of: imported.row.readerKey, as: imported.row.role, to: club)
        imported.after = [LoggedEvent.membership(.created, in: imported.row.club, of: imported.row.readerKey)]
    }
}

extension StandingTable {
    static func complete(_ imported: inout RowImport<Standing>, _ state: borrowing WriteState) throws(RequestError) {
        let member = try state.found(MemberTable.find(key: imported.row.memberKey, in: state.db))
        let reading = try state.query(ReadingTable.find(imported.row.reading, in: state.db))
        guard let reading, reading.readerKey == member.readerKey else { throw .unknown("reading") }
        imported.row.name = member.name
        imported.row.hasModeratorVersion = imported.old?.hasModeratorVersion ?? (member.sharesWithModerators != nil)
        // The member may share less here.
        let milestones = try state.query(MilestoneTable.all(of: "run", imported.row.runKey, in: state.db))
        imported.row.show(reading, member.shares, milestones, hasRead: false)
        guard imported.old == nil, imported.row.hasModeratorVersion else { return }
        let moderatorVersion = imported.row.moderatorVersion(
            reading, milestones, member, at: imported.row.updatedAt ?? imported.line.now)
        imported.after = [RowWrite<ModeratorStandingTable>(before: nil, after: moderatorVersion)]
    }
}

extension MeetingTable {
    static func complete(_ imported: inout RowImport<Meeting>, _ state: borrowing WriteState) throws(RequestError) {
        try state.demandRun(imported.row.run, of: imported.row.clubKey, on: imported.row.book)
        imported.row.bookTitle = try imported.row.bookKey.flatMap { key throws(RequestError) in
            try state.query(BookTable.find(key: key, in: state.db))?.title
        }
    }
}

extension MeetingAttendanceTable {
    static func complete(
        _ imported: inout RowImport<MeetingAttendance>, _ state: borrowing WriteState
    ) throws(RequestError) {
        imported.row.name = try state.found(MemberTable.find(key: imported.row.memberKey, in: state.db)).name
    }
}

extension WriteState {
    /// Throws if a line names a run of another club or book. Notes and meetings keep the id of a deleted run, so an
    /// unknown one is valid.
    func demandRun(_ id: ResourceID?, of club: Int64?, on book: ResourceID?) throws(RequestError) {
        guard let id, let run = try query(ClubRunTable.find(id, in: db)) else { return }
        guard run.clubKey == club, run.book == book else {
            throw .violation("/run", "is a run of another club or another book")
        }
    }
}

package import Model

/// Queries for a club's meetings and its calendar. The caller must have checked that the viewer is a member.
extension ReadConnection {
    /// The meetings of the club `?1`, in order of time.
    package static let meetings = SortedTableList(
        MeetingTable.rows, where: "meetings.club = ?1", order: ListOrder(by: .instant("startsAt")))

    /// The answers to meetings of the club `?1`, in the order of their first answer.
    package static let attendances = SortedTableList(MeetingAttendanceTable.rows, where: "meetings.club = ?1")

    /// The addresses of clubs' calendars of the reader `?1`, oldest first.
    package static let calendars = SortedTableList(CalendarAddressTable.rows, where: "members.reader = ?1")

    /// Returns a meeting of a club; without an id, the next one.
    package func meeting(_ id: ResourceID?, ofClub club: Int64) throws(RequestError) -> Meeting? {
        try query { db throws(SQLiteError) in
            if let id { try MeetingTable.find(id, of: club, in: db) } else { try MeetingTable.next(of: club, in: db) }
        }
    }

    /// Returns a member's answer to a meeting, or `nil`.
    package func attendance(of member: Member, at meeting: Meeting) throws(RequestError) -> MeetingAttendance? {
        try query(MeetingAttendanceTable.find(of: member.key, meeting: meeting.key, in: db))
    }

    /// The notes at which the view of a meeting looks: on its book and for the reader, in the order of their thresholds.
    private static let lookedAt = """
        SELECT key FROM notes WHERE club = ?2 AND book = ?3 AND body IS NOT NULL AND \(NoteVisibilitySQL.isInAudience())
        ORDER BY share LIMIT \(NoteVisibilitySQL.checkedMax)
        """
    private static let lookedAtCount = SQLText("SELECT count(*) FROM (\(lookedAt))")
    static let notesOfMeeting = NoteTable.rows.sql(
        """
        WHERE notes.key IN (\(lookedAt)) AND ifnull(notes.progress, 0) <= ?4 AND \(NoteVisibilitySQL.isVisible)
            AND (?5 IS NULL OR notes.run = ?5 OR notes.run IS NULL)
        ORDER BY notes.progress, notes.key LIMIT \(notesOfMeetingMax + 1)
        """)

    /// Returns the visible notes for a meeting: on its book, of its run or of none, up to its position. They are in the
    /// order of the book and of time, with notes on the book as a whole first. Returns up to one more than the view
    /// shows, and whether the query looked at as many notes as it may.
    package func notes(for meeting: Meeting, seenBy reader: Int64) throws(RequestError) -> (notes: [Note], isCut: Bool)
    {
        try query { db throws(SQLiteError) in
            let count =
                try db.statement(Self.lookedAtCount).bind(reader, meeting.clubKey, meeting.bookKey).number() ?? 0
            let notes = try db.statement(Self.notesOfMeeting).bind(
                reader, meeting.clubKey, meeting.bookKey, Int64((meeting.progress ?? .whole).millionths), meeting.run
            ).all(NoteTable.row)
            return (notes, count == NoteVisibilitySQL.checkedMax)
        }
    }

    /// The maximum number of notes that the view of a meeting shows.
    package static let notesOfMeetingMax = 500

    /// Returns the contents of the calendar with a secret address: the last 200 meetings and 500 milestones. Returns `nil`
    /// if there is no such address, or if its member is suspended.
    package func calendar(
        digest: SHA256Digest
    ) throws(RequestError) -> (club: Club, meetings: [Meeting], milestones: [Milestone])? {
        try query { db throws(SQLiteError) in
            let found = try ClubTable.matching(
                """
                clubs.key = (SELECT members.club FROM calendars JOIN members ON members.key = calendars.member
                    JOIN readers ON readers.key = members.reader
                    WHERE calendars.digest = ?1 AND readers.suspension IS NULL)
                """, in: db
            ).bind(digest).first(ClubTable.row)
            guard let club = found else { return nil }
            let meetings = try MeetingTable.matching(
                "meetings.club = ?1 ORDER BY meetings.starts_at DESC, meetings.key LIMIT 200", in: db
            ).bind(club.key).all(MeetingTable.row)
            let milestones = try MilestoneTable.matching(
                "runs.club = ?1 ORDER BY milestones.due_at DESC, milestones.key LIMIT 500", in: db
            ).bind(club.key).all(MilestoneTable.row)
            return (club, meetings, milestones)
        }
    }
}

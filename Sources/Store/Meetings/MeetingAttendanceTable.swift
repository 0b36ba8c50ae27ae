import Model

/// The table of members' answers to meetings.
enum MeetingAttendanceTable: ResourceTable {
    static let rows = TableMapping<MeetingAttendance>(
        "attendances",
        joins: """
            attendances JOIN meetings ON meetings.key = attendances.meeting \
            JOIN members ON members.key = attendances.member JOIN readers ON readers.key = members.reader
            """)

    static func scope(of row: MeetingAttendance) -> ChangeScope { .club(key: row.clubKey) }

    private static let ofMember = rows.sql(
        """
        WHERE attendances.member = ?1 AND (?2 IS NULL OR attendances.meeting = ?2) ORDER BY attendances.key
        """)
    private static let ofMeeting = rows.sql("WHERE attendances.meeting = ?1 ORDER BY attendances.key")

    /// Returns the answers of a member, optionally to one meeting.
    static func all(
        member: Int64, meeting: Int64? = nil, in connection: SQLiteConnection
    ) throws(SQLiteError) -> [MeetingAttendance] {
        try connection.statement(ofMember).bind(member, meeting).all(row)
    }

    /// Returns the answers to a meeting.
    static func all(meeting: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> [MeetingAttendance] {
        try connection.statement(ofMeeting).bind(meeting).all(row)
    }

    static func changes(atEndOf ending: EndingResource, in connection: SQLiteConnection) throws(SQLiteError)
        -> [any CommandChange]
    {
        guard case .member(let member) = ending else { return [] }
        return deletions(of: try all(member: member.key, in: connection))
    }
}

import Model

/// The table of members' answers to meetings.
enum MeetingAttendanceTable: ExportedTable {
    static let rows = TableMapping<MeetingAttendance>(
        "attendances",
        joins: """
            attendances JOIN meetings ON meetings.key = attendances.meeting \
            JOIN members ON members.key = attendances.member JOIN readers ON readers.key = members.reader
            """)

    static func scope(of row: MeetingAttendance) -> ChangeScope { .club(key: row.clubKey) }

    /// Returns a member's answer to a meeting.
    static func find(
        of member: Int64, meeting: Int64, in connection: SQLiteConnection
    ) throws(SQLiteError) -> MeetingAttendance? {
        try matching("attendances.member = ?1 AND attendances.meeting = ?2", in: connection).bind(member, meeting)
            .first(row)
    }

    static let endings = [
        ending(of: .member, where: "attendances.member = ?1"),
        ending(of: .meeting, where: "attendances.meeting = ?1"),
    ]
}

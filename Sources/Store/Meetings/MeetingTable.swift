import Model

/// The table of meetings.
enum MeetingTable: ExportedTable {
    static let rows = TableMapping<Meeting>("meetings")

    static func scope(of row: Meeting) -> ChangeScope { .club(key: row.clubKey) }

    static let endings: [ResourceEnding] = []

    /// Returns the first meeting of a club that has not begun.
    static func next(of club: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Meeting? {
        try matching(
            "meetings.club = ?1 AND meetings.has_begun = 0 ORDER BY meetings.starts_at, meetings.key LIMIT 1",
            in: connection
        ).bind(club).first(row)
    }
}

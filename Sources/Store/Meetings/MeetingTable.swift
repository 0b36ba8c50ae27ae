import Model

/// The table of meetings.
enum MeetingTable: ResourceTable {
    static let rows = TableMapping<Meeting>("meetings")

    static func scope(of row: Meeting) -> ChangeScope { .club(key: row.clubKey) }

    /// Returns the first meeting of a club that has not begun.
    static func next(of club: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Meeting? {
        try matching(
            "meetings.club = ?1 AND meetings.has_begun = 0 ORDER BY meetings.starts_at, meetings.key LIMIT 1",
            in: connection
        ).bind(club).first(row)
    }

    /// Returns the meetings whose time has come, but which are not yet marked as begun.
    static func due(at now: Instant, limit: Int, in connection: SQLiteConnection) throws(SQLiteError) -> [Meeting] {
        try matching(
            "meetings.has_begun = 0 AND meetings.starts_at <= ?1 ORDER BY meetings.starts_at LIMIT ?2", in: connection
        ).bind(now, Int64(limit)).all(row)
    }
}

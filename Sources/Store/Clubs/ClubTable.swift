import Model

/// Rows of clubs.
enum ClubTable: Table {
    static let rows = Rows<Club>("clubs", key: .own)

    static func scope(of row: Club) -> Scope { .club(key: row.key) }

    /// The key that the next club gets: a command that founds one needs it for what is in it.
    static func nextKey(in connection: Connection) throws(SQLiteError) -> Int64 {
        (try connection.number("SELECT seq FROM sqlite_sequence WHERE name = 'clubs'") ?? 0) + 1
    }

    /// With all that is the club's.
    static func delete(_ club: Club, in connection: Connection) throws(SQLiteError) {
        for end in StoredTable.endsOfClub { try connection.statement(end).bind(1, club.key).run() }
        try rows.delete(club, in: connection)
    }

    /// A reading that was kept says whether its reader is in a club.
    static func applied(_ write: Write<Self>, _ outcome: Outcome?, _ moment: Moment, _ readings: RecentReadings) {
        guard write.after == nil else { return }
        readings.forget()
    }
}

import Model

/// The table of clubs.
enum ClubTable: ResourceTable {
    static let rows = TableMapping<Club>("clubs", key: .own)

    static func scope(of row: Club) -> ChangeScope { .club(key: row.key) }

    /// Returns the key of the next club, which the command that creates it needs for its contents.
    static func nextKey(in connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        (try connection.number("SELECT seq FROM sqlite_sequence WHERE name = 'clubs'") ?? 0) + 1
    }

    /// Deletes a club and all rows that belong to it.
    static func delete(_ club: Club, in connection: SQLiteConnection) throws(SQLiteError) {
        for end in StoredTable.endsOfClub { try connection.statement(end).bind(club.key).run() }
        try rows.delete(club, in: connection)
    }
}

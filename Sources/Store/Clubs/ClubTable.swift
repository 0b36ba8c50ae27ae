import Model

/// The table of clubs.
enum ClubTable: ExportedTable {
    static let rows = TableMapping<Club>("clubs", key: .own)

    static func scope(of row: Club) -> ChangeScope { .club(key: row.key) }

    static let endings: [ResourceEnding] = []

    /// Deletes a club and all rows that belong to it.
    static func delete(_ club: Club, in connection: SQLiteConnection) throws(SQLiteError) {
        for end in StoredTable.endsOfClub { try connection.statement(end).bind(club.key).run() }
        try rows.delete(club, in: connection)
    }
}

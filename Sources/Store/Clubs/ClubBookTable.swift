import Model

/// Rows of the books on clubs' reading lists.
enum ClubBookTable: Table {
    static let rows = Rows<ClubBook>(
        "club_books",
        joins: "club_books JOIN clubs ON clubs.key = club_books.club JOIN books ON books.key = club_books.book")

    static func scope(of row: ClubBook) -> Scope { .club(key: row.clubKey) }

    private static let ofBook = rows.sql("WHERE club_books.club = ?1 AND books.id = ?2")
    private static let current = rows.sql("WHERE club_books.club = ?1 AND club_books.state = 'current'")

    /// A book on a club's list; without an id the current one.
    static func find(_ id: ResourceID?, of club: Int64, in connection: Connection) throws(SQLiteError) -> ClubBook? {
        guard let id else { return try connection.statement(current).bind(1, club).first(row) }
        return try connection.statement(ofBook).bind(1, club).bind(2, id).first(row)
    }

    /// How many a club has, and the greatest place among them.
    static func extent(of club: Int64, in connection: Connection) throws(SQLiteError) -> (count: Int64, place: Int32) {
        try connection.statement("SELECT count(*), ifnull(max(place), 0) FROM club_books WHERE club = ?1").bind(1, club)
            .first { ($0.integer(0), $0.int32(1)) } ?? (0, 0)
    }
}

import Model

/// The table of invitations.
enum InvitationTable: ResourceTable {
    static let rows = TableMapping<Invitation>(
        "invitations",
        joins: """
            invitations JOIN clubs ON clubs.key = invitations.club JOIN readers ON readers.key = invitations.maker
            """)

    static func scope(of row: Invitation) -> ChangeScope { .moderators(ofClub: row.clubKey) }

    private static let ofCode = rows.sql("WHERE invitations.code = ?1 AND readers.suspension IS NULL")
    private static let ofMaker = rows.sql("WHERE invitations.maker = ?1 AND invitations.club = ?2")

    /// Returns the invitation with a code, unless its maker is suspended.
    static func find(code: String, in connection: SQLiteConnection) throws(SQLiteError) -> Invitation? {
        try connection.statement(ofCode).bind(code).first(row)
    }

    /// Returns all invitations of a reader to a club.
    static func all(maker: Int64, club: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> [Invitation] {
        try connection.statement(ofMaker).bind(maker, club).all(row)
    }
}

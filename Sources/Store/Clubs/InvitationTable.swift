import Model

/// The table of invitations.
enum InvitationTable: ResourceTable {
    static let rows = TableMapping<Invitation>("invitations")

    static func scope(of row: Invitation) -> ChangeScope { .moderators(ofClub: row.clubKey) }

    static let endings = [ending(of: .reader, where: "invitations.maker = ?1")]

    /// Returns the invitation with a code, unless its maker is suspended.
    static func find(code: String, in connection: SQLiteConnection) throws(SQLiteError) -> Invitation? {
        try matching("invitations.code = ?1 AND readers.suspension IS NULL", in: connection).bind(code).first(row)
    }

    /// Returns all invitations of a reader to a club.
    static func all(maker: Int64, club: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> [Invitation] {
        try matching("invitations.maker = ?1 AND invitations.club = ?2", in: connection).bind(maker, club).all(row)
    }
}

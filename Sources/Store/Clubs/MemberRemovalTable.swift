import Model

/// The table of removals of readers from clubs.
enum MemberRemovalTable: ExportedTable {
    static let rows = TableMapping<MemberRemoval>("removals")

    static func scope(of row: MemberRemoval) -> ChangeScope { .moderators(ofClub: row.clubKey) }

    static let endings = [ending(of: .reader, where: "removals.reader = ?1")]

    static func complete(_: inout RowImport<MemberRemoval>, _: borrowing WriteState) {}

    /// Returns the removal of a reader from a club.
    static func find(reader: Int64, club: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> MemberRemoval?
    {
        try matching("removals.reader = ?1 AND removals.club = ?2", in: connection).bind(reader, club).first(row)
    }
}

import Model

/// The table of requests to join a club.
enum JoinRequestTable: ExportedTable {
    static let rows = TableMapping<JoinRequest>("join_requests")

    static func scope(of row: JoinRequest) -> ChangeScope { .moderators(ofClub: row.clubKey) }

    static func scopeOfCopy(of row: JoinRequest) -> ChangeScope? { .reader(key: row.readerKey) }

    /// Returns the waiting request of a reader to a club.
    static func waiting(reader: Int64, club: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> JoinRequest?
    {
        try matching(
            "join_requests.reader = ?1 AND join_requests.club = ?2 AND join_requests.state = 'waiting'", in: connection
        ).bind(reader, club).first(row)
    }

    static func complete(_: inout RowImport<JoinRequest>, _: borrowing WriteState) {}

    static let endings = [
        ending(of: .club, where: "join_requests.club = ?1"),
        ending(of: .reader, where: "join_requests.reader = ?1"),
    ]
}

import Model

/// Rows of standings.
enum StandingTable: Table {
    static let rows = Rows<Standing>(
        "standings",
        joins: """
            standings JOIN runs ON runs.key = standings.run JOIN clubs ON clubs.key = runs.club \
            JOIN books ON books.key = runs.book JOIN members ON members.key = standings.member \
            JOIN readers ON readers.key = members.reader
            """)

    static func scope(of row: Standing) -> Scope {
        row.audience == .club ? .club(key: row.clubKey) : .moderators(ofClub: row.clubKey)
    }

    /// Whose standings are asked for.
    enum Owner {
        case reading(ResourceID)
        case run(Int64)
        case member(Int64)
    }

    private static let ofReading = shared("standings.reading")
    private static let ofRun = shared("standings.run")
    private static let ofMember = shared("standings.member")
    private static let ofClub = rows.sql(
        "WHERE standings.id = ?1 AND runs.club = ?2 AND standings.audience = 'club'")

    /// Standings with what their members share with those to whom they are shown.
    private static func shared(_ column: String) -> SQL {
        SQL(
            """
            SELECT \(rows.columns),
                CASE standings.audience WHEN 'club' THEN members.shares ELSE ifnull(members.shares_with_moderators, 'nothing') END
            FROM \(rows.joins) WHERE \(column) = ?1 ORDER BY standings.key
            """)
    }

    /// The standings of a reading, a club's book or a member, those that only moderators are shown, too, each with what its member
    /// shares.
    static func all(of owner: Owner, in connection: Connection) throws(SQLiteError) -> [(Standing, Member.Sharing)] {
        let statement =
            switch owner {
            case .reading(let id): try connection.statement(ofReading).bind(1, id)
            case .run(let key): try connection.statement(ofRun).bind(1, key)
            case .member(let key): try connection.statement(ofMember).bind(1, key)
            }
        return try statement.all { (row($0), Member.Sharing(rawValue: $0.text(rows.width)) ?? .nothing) }
    }

    /// Those of them that all of a club are shown.
    static func shown(of owner: Owner, in connection: Connection) throws(SQLiteError) -> [Standing] {
        try all(of: owner, in: connection).map(\.0).filter { $0.audience == .club }
    }

    /// One that all of its club are shown.
    static func find(_ id: ResourceID, of club: Int64, in connection: Connection) throws(SQLiteError) -> Standing? {
        try connection.statement(ofClub).bind(1, id).bind(2, club).first(row)
    }

    static func ends(with member: Member, in connection: Connection) throws(SQLiteError) -> [any Proposal] {
        ends(of: try all(of: .member(member.key), in: connection).map(\.0))
    }
}

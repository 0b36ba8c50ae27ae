import Model

/// The table of standings in the club's version.
enum StandingTable: ExportedTable {
    static let rows = TableMapping<Standing>(
        "standings",
        joins: joins(of: "standings") + " LEFT JOIN moderator_standings ON moderator_standings.id = standings.id")

    /// Returns the audience of a standing: the club, or only its plain members if moderators have a separate version.
    static func scope(of row: Standing) -> ChangeScope {
        row.hasModeratorVersion ? .plainMembers(ofClub: row.clubKey) : .club(key: row.clubKey)
    }

    fileprivate static func joins(of table: String) -> String {
        """
        \(table) JOIN runs ON runs.key = \(table).run JOIN clubs ON clubs.key = runs.club \
        JOIN books ON books.key = runs.book JOIN members ON members.key = \(table).member \
        JOIN readers ON readers.key = members.reader
        """
    }

    static let endings = [
        ending(of: .member, where: "standings.member = ?1"),
        ending(of: .run, where: "standings.run = ?1"),
    ]
}

/// The table of standings in the moderators' version, for members who have ever shared with moderators separately.
enum ModeratorStandingTable: ResourceTable {
    static let rows = TableMapping<ModeratorStanding>(
        "moderator_standings", joins: StandingTable.joins(of: "moderator_standings"))

    static func scope(of row: ModeratorStanding) -> ChangeScope { .moderators(ofClub: row.clubKey) }

    static let endings = [
        ending(of: .member, where: "moderator_standings.member = ?1"),
        ending(of: .run, where: "moderator_standings.run = ?1"),
    ]
}

import Model

/// Rows of clubs.
enum ClubTable: Table {
    static let columns = """
        clubs.key, clubs.id, clubs.version, clubs.name, clubs.description, clubs.visibility, \
        clubs.moderators_see_ahead, clubs.counts_ahead, clubs.is_archived, clubs.created_at, clubs.updated_at
        """

    static func row(_ statement: Statement) -> Club {
        var club = Club(id: statement.id(1), name: statement.text(3), createdAt: statement.instant(9))
        club.key = statement.integer(0)
        club.version = statement.integer(2)
        club.description = statement.optionalText(4)
        club.visibility = Club.Visibility(rawValue: statement.text(5)) ?? .private
        club.moderatorsSeeAhead = statement.integer(6) != 0
        club.countsAhead = statement.integer(7) != 0
        club.isArchived = statement.integer(8) != 0
        club.updatedAt = statement.instant(10)
        return club
    }

    static func find(_ id: ResourceID, in connection: Connection) throws(SQLiteError) -> Club? {
        try connection.statement(shape: Connection.Shape.of(.club, 1)) {
            "SELECT \(columns) FROM clubs WHERE clubs.id = ?1"
        }.bind(1, id).first(row)
    }

    static func find(key: Int64, in connection: Connection) throws(SQLiteError) -> Club? {
        try connection.statement(shape: Connection.Shape.of(.club)) {
            "SELECT \(columns) FROM clubs WHERE clubs.key = ?1"
        }.bind(1, key).first(row)
    }

    /// The key that the next club gets: a command that founds one needs it for what is in it.
    static func nextKey(in connection: Connection) throws(SQLiteError) -> Int64 {
        (try connection.number("SELECT seq FROM sqlite_sequence WHERE name = 'clubs'") ?? 0) + 1
    }

    static func insert(_ club: Club, in connection: Connection) throws(SQLiteError) -> Int64 {
        let statement = try connection.statement(
            """
            INSERT INTO clubs (version, name, description, moderators_see_ahead, counts_ahead, is_archived, updated_at,
                visibility, key, id, created_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """)
        try bind(club, to: statement).bind(9, club.key).bind(10, club.id).bind(11, club.createdAt).run()
        return club.key
    }

    static func update(_ club: Club, changed: FieldSet, in connection: Connection) throws(SQLiteError) {
        let statement = try connection.statement(
            """
            UPDATE clubs SET version = ?1, name = ?2, description = ?3, moderators_see_ahead = ?4, counts_ahead = ?5,
                is_archived = ?6, updated_at = ?7, visibility = ?8
            WHERE key = ?9
            """)
        try bind(club, to: statement).bind(9, club.key).run()
    }

    /// With all that is the club's.
    static func delete(_ club: Club, in connection: Connection) throws(SQLiteError) {
        let sql: [StaticString] = [
            "DELETE FROM attendances WHERE meeting IN (SELECT key FROM meetings WHERE club = ?1)",
            "DELETE FROM meetings WHERE club = ?1",
            "DELETE FROM standings WHERE club_book IN (SELECT key FROM club_books WHERE club = ?1)",
            "DELETE FROM milestones WHERE club_book IN (SELECT key FROM club_books WHERE club = ?1)",
            "DELETE FROM club_books WHERE club = ?1", "DELETE FROM join_requests WHERE club = ?1",
            "DELETE FROM calendars WHERE member IN (SELECT key FROM members WHERE club = ?1)",
            "DELETE FROM reactions WHERE note IN (SELECT key FROM notes WHERE club = ?1)",
            "DELETE FROM notes_words WHERE rowid IN (SELECT key FROM notes WHERE club = ?1 AND body IS NOT NULL)",
            "DELETE FROM notes WHERE club = ?1", "DELETE FROM invitations WHERE club = ?1",
            "DELETE FROM members WHERE club = ?1", "DELETE FROM former_members WHERE club = ?1",
            "DELETE FROM removals WHERE club = ?1", "DELETE FROM reach WHERE place = -?1",
            "DELETE FROM clubs WHERE key = ?1",
        ]
        for statement in sql { try connection.statement(statement).bind(1, club.key).run() }
    }

    static func scope(of row: Club, key: Int64, in connection: Connection) -> Scope { .club(key: key) }

    private static func bind(_ club: Club, to statement: Statement) -> Statement {
        statement.bind(1, club.version).bind(2, club.name).bind(3, club.description)
            .bind(4, Int64(club.moderatorsSeeAhead ? 1 : 0)).bind(5, Int64(club.countsAhead ? 1 : 0))
            .bind(6, Int64(club.isArchived ? 1 : 0)).bind(7, club.updatedAt)
            .bind(8, club.visibility.rawValue)
    }

    /// A reading that was kept says whether its reader is in a club.
    static func applied(_ write: Write<Self>, _ outcome: Outcome?, _ moment: Moment, _ readings: RecentReadings) {
        guard write.after == nil else { return }
        readings.forget()
    }
}

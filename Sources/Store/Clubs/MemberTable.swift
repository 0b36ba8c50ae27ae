import Model

/// Rows of the members of clubs.
enum MemberTable: Table {
    static let columns = """
        members.key, members.id, members.version, members.club, clubs.id, members.reader, readers.id, members.name, \
        members.role, members.shares, members.created_at, members.updated_at
        """

    static func row(_ statement: Statement) -> Member {
        var member = Member(
            id: statement.id(1), club: (statement.id(4), statement.integer(3)),
            reader: (statement.id(6), statement.integer(5)), name: statement.text(7),
            role: Member.Role(rawValue: statement.text(8)) ?? .member, createdAt: statement.instant(10))
        member.key = statement.integer(0)
        member.version = statement.integer(2)
        member.shares = Member.Sharing(rawValue: statement.text(9)) ?? .nothing
        member.updatedAt = statement.instant(11)
        return member
    }

    /// What `columns` needs.
    static let joins = "members JOIN clubs ON clubs.key = members.club JOIN readers ON readers.key = members.reader"

    /// A reader's membership of a club.
    static func find(reader: Int64, club: Int64, in connection: Connection) throws(SQLiteError) -> Member? {
        try connection.statement(shape: Connection.Shape.of(.member)) {
            "SELECT \(columns) FROM \(joins) WHERE members.reader = ?1 AND members.club = ?2"
        }.bind(1, reader).bind(2, club).first(row)
    }

    /// All members of a club, in the order in which they came.
    static func all(of club: Int64, in connection: Connection) throws(SQLiteError) -> [Member] {
        try connection.statement(shape: Connection.Shape.of(.member, 1)) {
            "SELECT \(columns) FROM \(joins) WHERE members.club = ?1 ORDER BY members.key"
        }.bind(1, club).all(row)
    }

    /// What a reader is called in a club, or was when they went from it; nil for who never was there, or went before
    /// names were kept.
    static func name(of reader: Int64, inClub club: Int64, in connection: Connection) throws(SQLiteError) -> String? {
        try connection.statement(
            """
            SELECT name FROM members WHERE reader = ?1 AND club = ?2
            UNION ALL SELECT name FROM former_members WHERE reader = ?1 AND club = ?2
            """
        ).bind(1, reader).bind(2, club).first { $0.text(0) }
    }

    /// All memberships of a reader.
    static func all(ofReader reader: Int64, in connection: Connection) throws(SQLiteError) -> [Member] {
        try connection.statement(shape: Connection.Shape.of(.member, 2)) {
            "SELECT \(columns) FROM \(joins) WHERE members.reader = ?1 ORDER BY members.key"
        }.bind(1, reader).all(row)
    }

    static func insert(_ member: Member, in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.statement(
            """
            INSERT INTO members (key, id, version, club, reader, name, role, created_at, updated_at, shares, moderates)
            VALUES (?1, ?2, ?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, CASE ?6 WHEN 'member' THEN NULL ELSE ?1 END)
            """
        ).bind(1, member.version).bind(2, member.id).bind(3, member.clubKey).bind(4, member.readerKey)
            .bind(5, member.name).bind(6, member.role.rawValue).bind(7, member.createdAt).bind(8, member.updatedAt)
            .bind(9, member.shares.rawValue).run()
        try connection.statement("DELETE FROM former_members WHERE club = ?1 AND reader = ?2")
            .bind(1, member.clubKey).bind(2, member.readerKey).run()
        return member.version
    }

    static func update(_ member: Member, changed: FieldSet, in connection: Connection) throws(SQLiteError) {
        try connection.statement(
            """
            UPDATE members SET version = ?1, name = ?2, role = ?3, updated_at = ?4, shares = ?6,
                moderates = CASE ?3 WHEN 'member' THEN NULL ELSE ifnull(moderates, ?1) END
            WHERE key = ?5
            """
        ).bind(1, member.version).bind(2, member.name).bind(3, member.role.rawValue).bind(4, member.updatedAt)
            .bind(5, member.key).bind(6, member.shares.rawValue).run()
    }

    static func delete(_ member: Member, in connection: Connection) throws(SQLiteError) {
        try connection.statement(
            "INSERT INTO former_members (club, reader, name) SELECT club, reader, name FROM members WHERE key = ?1"
        ).bind(1, member.key).run()
        try connection.statement("DELETE FROM members WHERE key = ?1").bind(1, member.key).run()
    }

    static func scope(of row: Member, key: Int64, in connection: Connection) -> Scope { .club(key: row.clubKey) }

    /// A reading that was kept says whether its reader is in a club.
    static func applied(_ write: Write<Self>, _ outcome: Outcome?, _ moment: Moment, _ readings: RecentReadings) {
        readings.forget()
    }
}

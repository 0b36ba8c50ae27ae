import Model

/// Rows of calendars' addresses. The digest of the secret is stored and never read back, only looked up.
enum CalendarTable: Table {
    static let columns = """
        calendars.key, calendars.id, calendars.version, clubs.id, calendars.member, members.reader, calendars.created_at
        """

    /// What `columns` needs.
    static let joins = """
        calendars JOIN members ON members.key = calendars.member JOIN clubs ON clubs.key = members.club
        """

    static func row(_ statement: Statement) -> Calendar {
        var calendar = Calendar(
            id: statement.id(1), club: statement.id(3), member: (statement.integer(4), statement.integer(5)),
            createdAt: statement.instant(6))
        calendar.key = statement.integer(0)
        calendar.version = statement.integer(2)
        return calendar
    }

    /// The addresses of a member, in the order in which they were made.
    static func all(member: Int64, in connection: Connection) throws(SQLiteError) -> [Calendar] {
        try connection.statement(shape: Connection.Shape.of(.calendar)) {
            "SELECT \(columns) FROM \(joins) WHERE calendars.member = ?1 ORDER BY calendars.key"
        }.bind(1, member).all(row)
    }

    /// The key of the club whose calendar is at a secret address.
    static func club(digest: Digest, in connection: Connection) throws(SQLiteError) -> Int64? {
        try connection.statement(
            "SELECT members.club FROM calendars JOIN members ON members.key = calendars.member WHERE calendars.digest = ?1"
        ).bind(1, digest).first { $0.integer(0) }
    }

    static func insert(_ calendar: Calendar, in connection: Connection) throws(SQLiteError) -> Int64 {
        let statement = try connection.statement(
            "INSERT INTO calendars (id, version, member, digest, created_at) VALUES (?1, ?2, ?3, ?4, ?5)"
        ).bind(1, calendar.id).bind(2, calendar.version).bind(3, calendar.memberKey).bind(5, calendar.createdAt)
        if let digest = calendar.digest { statement.bind(4, digest) }
        try statement.run()
        return connection.lastInsertedKey
    }

    /// Never: nothing of it changes.
    static func update(_ calendar: Calendar, changed: FieldSet, in connection: Connection) throws(SQLiteError) {}

    static func delete(_ calendar: Calendar, in connection: Connection) throws(SQLiteError) {
        try connection.statement("DELETE FROM calendars WHERE key = ?1").bind(1, calendar.key).run()
    }

    static func scope(of row: Calendar, key: Int64, in connection: Connection) -> Scope { .reader(key: row.readerKey) }
}

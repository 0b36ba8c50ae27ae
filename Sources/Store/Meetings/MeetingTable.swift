import Model

/// Rows of meetings.
enum MeetingTable: Table {
    static let columns = """
        meetings.key, meetings.id, meetings.version, meetings.club, clubs.id, meetings.title, meetings.starts_at, \
        meetings.time_zone, meetings.minutes, meetings.place, meetings.link, meetings.agenda, meetings.book, books.id, \
        meetings.position, meetings.page, meetings.has_begun, meetings.created_at, meetings.updated_at
        """

    /// What `columns` needs.
    static let joins = """
        meetings JOIN clubs ON clubs.key = meetings.club LEFT JOIN books ON books.key = meetings.book
        """

    static func row(_ statement: Statement) -> Meeting {
        var meeting = Meeting(
            id: statement.id(1), club: (statement.id(4), statement.integer(3)), startsAt: statement.instant(6),
            createdAt: statement.instant(17))
        meeting.key = statement.integer(0)
        meeting.version = statement.integer(2)
        meeting.title = statement.optionalText(5)
        meeting.timeZone = statement.text(7)
        meeting.minutes = statement.optionalInt32(8)
        meeting.place = statement.optionalText(9)
        meeting.link = statement.optionalText(10)
        meeting.agenda = statement.optionalText(11)
        meeting.bookKey = statement.optionalInteger(12)
        meeting.book = statement.optionalID(13)
        meeting.progress = statement.optionalInteger(14).map { Progress(clamping: $0) }
        meeting.page = statement.optionalInt32(15)
        meeting.hasBegun = statement.integer(16) != 0
        meeting.updatedAt = statement.instant(18)
        return meeting
    }

    static func find(_ id: ResourceID, of club: Int64, in connection: Connection) throws(SQLiteError) -> Meeting? {
        try connection.statement(shape: Connection.Shape.of(.meeting)) {
            "SELECT \(columns) FROM \(joins) WHERE meetings.id = ?1 AND meetings.club = ?2"
        }.bind(1, id).bind(2, club).first(row)
    }

    /// The first of a club that has not begun.
    static func next(of club: Int64, in connection: Connection) throws(SQLiteError) -> Meeting? {
        try connection.statement(shape: Connection.Shape.of(.meeting, 1)) {
            """
            SELECT \(columns) FROM \(joins) WHERE meetings.club = ?1 AND meetings.has_begun = 0
            ORDER BY meetings.starts_at, meetings.key LIMIT 1
            """
        }.bind(1, club).first(row)
    }

    static func count(of club: Int64, in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.statement("SELECT count(*) FROM meetings WHERE club = ?1").bind(1, club).first { $0.integer(0) }
            ?? 0
    }

    /// Those whose time has come, and nobody has said so.
    static func due(at now: Instant, limit: Int, in connection: Connection) throws(SQLiteError) -> [Meeting] {
        try connection.statement(shape: Connection.Shape.of(.meeting, 2)) {
            """
            SELECT \(columns) FROM \(joins) WHERE meetings.has_begun = 0 AND meetings.starts_at <= ?1
            ORDER BY meetings.starts_at LIMIT ?2
            """
        }.bind(1, now).bind(2, Int64(limit)).all(row)
    }

    static func insert(_ meeting: Meeting, in connection: Connection) throws(SQLiteError) -> Int64 {
        let statement = try connection.statement(
            """
            INSERT INTO meetings (version, title, starts_at, time_zone, minutes, place, link, agenda, book, position, page,
                has_begun, updated_at, id, club, created_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
            """)
        try bind(meeting, to: statement).bind(14, meeting.id).bind(15, meeting.clubKey).bind(16, meeting.createdAt)
            .run()
        return connection.lastInsertedKey
    }

    static func update(_ meeting: Meeting, changed: FieldSet, in connection: Connection) throws(SQLiteError) {
        let statement = try connection.statement(
            """
            UPDATE meetings SET version = ?1, title = ?2, starts_at = ?3, time_zone = ?4, minutes = ?5, place = ?6,
                link = ?7, agenda = ?8, book = ?9, position = ?10, page = ?11, has_begun = ?12, updated_at = ?13
            WHERE key = ?14
            """)
        try bind(meeting, to: statement).bind(14, meeting.key).run()
    }

    static func delete(_ meeting: Meeting, in connection: Connection) throws(SQLiteError) {
        try connection.statement("DELETE FROM meetings WHERE key = ?1").bind(1, meeting.key).run()
    }

    static func scope(of row: Meeting, key: Int64, in connection: Connection) -> Scope { .club(key: row.clubKey) }

    private static func bind(_ meeting: Meeting, to statement: Statement) -> Statement {
        statement.bind(1, meeting.version).bind(2, meeting.title).bind(3, meeting.startsAt).bind(4, meeting.timeZone)
            .bind(5, meeting.minutes).bind(6, meeting.place).bind(7, meeting.link).bind(8, meeting.agenda)
            .bind(9, meeting.bookKey).bind(10, meeting.progress.map { Int64($0.millionths) }).bind(11, meeting.page)
            .bind(12, Int64(meeting.hasBegun ? 1 : 0)).bind(13, meeting.updatedAt)
    }
}

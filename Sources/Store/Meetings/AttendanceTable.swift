import Model

/// Rows of who comes to which meeting.
enum AttendanceTable: Table {
    static let columns = """
        attendances.key, attendances.id, attendances.version, attendances.meeting, meetings.id, meetings.club, \
        attendances.member, readers.id, attendances.answer, attendances.created_at, attendances.updated_at
        """

    /// What `columns` needs.
    static let joins = """
        attendances JOIN meetings ON meetings.key = attendances.meeting JOIN members ON members.key = attendances.member \
        JOIN readers ON readers.key = members.reader
        """

    static func row(_ statement: Statement) -> Attendance {
        var attendance = Attendance(
            id: statement.id(1), meeting: (statement.id(4), statement.integer(3), statement.integer(5)),
            member: (statement.id(7), statement.integer(6)),
            answer: Attendance.Answer(rawValue: statement.text(8)) ?? .maybe, createdAt: statement.instant(9))
        attendance.key = statement.integer(0)
        attendance.version = statement.integer(2)
        attendance.updatedAt = statement.instant(10)
        return attendance
    }

    /// What a member said, of this meeting only where one is given.
    static func all(
        member: Int64, meeting: Int64? = nil, in connection: Connection
    ) throws(SQLiteError) -> [Attendance] {
        try connection.statement(shape: Connection.Shape.of(.attendance)) {
            """
            SELECT \(columns) FROM \(joins)
            WHERE attendances.member = ?1 AND (?2 IS NULL OR attendances.meeting = ?2) ORDER BY attendances.key
            """
        }.bind(1, member).bind(2, meeting).all(row)
    }

    /// What the members said of a meeting.
    static func all(meeting: Int64, in connection: Connection) throws(SQLiteError) -> [Attendance] {
        try connection.statement(shape: Connection.Shape.of(.attendance, 1)) {
            "SELECT \(columns) FROM \(joins) WHERE attendances.meeting = ?1 ORDER BY attendances.key"
        }.bind(1, meeting).all(row)
    }

    static func insert(_ attendance: Attendance, in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.statement(
            """
            INSERT INTO attendances (id, version, meeting, member, answer, created_at, updated_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        ).bind(1, attendance.id).bind(2, attendance.version).bind(3, attendance.meetingKey)
            .bind(4, attendance.memberKey).bind(5, attendance.answer.rawValue).bind(6, attendance.createdAt)
            .bind(7, attendance.updatedAt).run()
        return connection.lastInsertedKey
    }

    static func update(_ attendance: Attendance, changed: FieldSet, in connection: Connection) throws(SQLiteError) {
        try connection.statement("UPDATE attendances SET version = ?1, answer = ?2, updated_at = ?3 WHERE key = ?4")
            .bind(1, attendance.version).bind(2, attendance.answer.rawValue).bind(3, attendance.updatedAt)
            .bind(4, attendance.key).run()
    }

    static func delete(_ attendance: Attendance, in connection: Connection) throws(SQLiteError) {
        try connection.statement("DELETE FROM attendances WHERE key = ?1").bind(1, attendance.key).run()
    }

    static func scope(of row: Attendance, key: Int64, in connection: Connection) -> Scope { .club(key: row.clubKey) }
}

import Model

/// Rows of milestones.
enum MilestoneTable: Table {
    static let columns = """
        milestones.key, milestones.id, milestones.version, club_books.club, clubs.id, milestones.club_book, books.id, \
        milestones.name, milestones.position, milestones.page, milestones.due_at, milestones.is_due, \
        milestones.created_at, milestones.updated_at
        """

    /// What `columns` needs.
    static let joins = """
        milestones JOIN club_books ON club_books.key = milestones.club_book JOIN clubs ON clubs.key = club_books.club \
        JOIN books ON books.key = club_books.book
        """

    static func row(_ statement: Statement) -> Milestone {
        var milestone = Milestone(
            id: statement.id(1), club: (statement.id(4), statement.integer(3)),
            book: (statement.id(6), statement.integer(5)), dueAt: statement.instant(10),
            createdAt: statement.instant(12))
        milestone.key = statement.integer(0)
        milestone.version = statement.integer(2)
        milestone.name = statement.optionalText(7)
        milestone.progress = Progress(clamping: statement.integer(8))
        milestone.page = statement.optionalInt32(9)
        milestone.isDue = statement.integer(11) != 0
        milestone.updatedAt = statement.instant(13)
        return milestone
    }

    static func find(_ id: ResourceID, of club: Int64, in connection: Connection) throws(SQLiteError) -> Milestone? {
        try connection.statement(shape: Connection.Shape.of(.milestone)) {
            "SELECT \(columns) FROM \(joins) WHERE milestones.id = ?1 AND club_books.club = ?2"
        }.bind(1, id).bind(2, club).first(row)
    }

    /// Those of a book on a club's list, in the order of the book.
    static func all(of clubBook: Int64, in connection: Connection) throws(SQLiteError) -> [Milestone] {
        try connection.statement(shape: Connection.Shape.of(.milestone, 1)) {
            """
            SELECT \(columns) FROM \(joins) WHERE milestones.club_book = ?1
            ORDER BY milestones.position, milestones.key
            """
        }.bind(1, clubBook).all(row)
    }

    /// Those whose time has come, and nobody has said so.
    static func due(at now: Instant, limit: Int, in connection: Connection) throws(SQLiteError) -> [Milestone] {
        try connection.statement(shape: Connection.Shape.of(.milestone, 2)) {
            """
            SELECT \(columns) FROM \(joins) WHERE milestones.is_due = 0 AND milestones.due_at <= ?1
            ORDER BY milestones.due_at LIMIT ?2
            """
        }.bind(1, now).bind(2, Int64(limit)).all(row)
    }

    static func insert(_ milestone: Milestone, in connection: Connection) throws(SQLiteError) -> Int64 {
        let statement = try connection.statement(
            """
            INSERT INTO milestones (version, name, position, page, due_at, is_due, updated_at, id, club_book, created_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """)
        try bind(milestone, to: statement).bind(8, milestone.id).bind(9, milestone.clubBookKey)
            .bind(10, milestone.createdAt).run()
        return connection.lastInsertedKey
    }

    static func update(_ milestone: Milestone, changed: FieldSet, in connection: Connection) throws(SQLiteError) {
        let statement = try connection.statement(
            """
            UPDATE milestones SET version = ?1, name = ?2, position = ?3, page = ?4, due_at = ?5, is_due = ?6,
                updated_at = ?7
            WHERE key = ?8
            """)
        try bind(milestone, to: statement).bind(8, milestone.key).run()
    }

    static func delete(_ milestone: Milestone, in connection: Connection) throws(SQLiteError) {
        try connection.statement("DELETE FROM milestones WHERE key = ?1").bind(1, milestone.key).run()
    }

    static func scope(of row: Milestone, key: Int64, in connection: Connection) -> Scope { .club(key: row.clubKey) }

    private static func bind(_ milestone: Milestone, to statement: Statement) -> Statement {
        statement.bind(1, milestone.version).bind(2, milestone.name).bind(3, Int64(milestone.progress.millionths))
            .bind(4, milestone.page).bind(5, milestone.dueAt).bind(6, Int64(milestone.isDue ? 1 : 0))
            .bind(7, milestone.updatedAt)
    }
}

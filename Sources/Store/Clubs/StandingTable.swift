import Model

/// Rows of standings.
enum StandingTable: Table {
    static let columns = """
        standings.key, standings.id, standings.version, club_books.club, clubs.id, standings.club_book, books.id, \
        club_books.state = 'current', standings.member, readers.id, standings.reading, standings.progress, standings.state, \
        standings.last_read_at, standings.finished_at, standings.created_at, standings.updated_at
        """

    /// What `columns` needs.
    static let joins = """
        standings JOIN club_books ON club_books.key = standings.club_book JOIN clubs ON clubs.key = club_books.club \
        JOIN books ON books.key = club_books.book JOIN members ON members.key = standings.member \
        JOIN readers ON readers.key = members.reader
        """

    static func row(_ statement: Statement) -> Standing {
        var standing = Standing(
            id: statement.id(1), club: (statement.id(4), statement.integer(3)),
            book: (statement.id(6), statement.integer(5), statement.integer(7) != 0),
            member: (statement.id(9), statement.integer(8)), reading: statement.id(10),
            createdAt: statement.instant(15))
        standing.key = statement.integer(0)
        standing.version = statement.integer(2)
        standing.progress = statement.optionalInteger(11).map { Progress(clamping: $0) }
        standing.state = statement.optionalText(12).flatMap { Standing.State(rawValue: $0) }
        standing.lastReadAt = statement.optionalInstant(13)
        standing.finishedAt = statement.optionalInstant(14)
        standing.updatedAt = statement.instant(16)
        return standing
    }

    /// A standing with what its member shares.
    private static func sharedRow(_ statement: Statement) -> (Standing, Member.Sharing) {
        (row(statement), Member.Sharing(rawValue: statement.text(17)) ?? .nothing)
    }

    /// Whose standings are asked for.
    enum Owner {
        case reading(ResourceID)
        case clubBook(Int64)
        case member(Int64)
    }

    /// The standings of a reading, a club's book or a member, each with what its member shares.
    static func all(of owner: Owner, in connection: Connection) throws(SQLiteError) -> [(Standing, Member.Sharing)] {
        func select(_ variant: Int, _ column: String) throws(SQLiteError) -> Statement {
            try connection.statement(shape: Connection.Shape.of(.standing, variant)) {
                "SELECT \(columns), members.shares FROM \(joins) WHERE \(column) = ?1 ORDER BY standings.key"
            }
        }
        switch owner {
        case .reading(let id): return try select(0, "standings.reading").bind(1, id).all(sharedRow)
        case .clubBook(let key): return try select(1, "standings.club_book").bind(1, key).all(sharedRow)
        case .member(let key): return try select(2, "standings.member").bind(1, key).all(sharedRow)
        }
    }

    static func find(_ id: ResourceID, of club: Int64, in connection: Connection) throws(SQLiteError) -> Standing? {
        try connection.statement(shape: Connection.Shape.of(.standing, 3)) {
            "SELECT \(columns) FROM \(joins) WHERE standings.id = ?1 AND club_books.club = ?2"
        }.bind(1, id).bind(2, club).first(row)
    }

    static func insert(_ standing: Standing, in connection: Connection) throws(SQLiteError) -> Int64 {
        let statement = try connection.statement(
            """
            INSERT INTO standings (version, progress, state, last_read_at, finished_at, updated_at, id, club_book,
                member, reading, created_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """)
        try bind(standing, to: statement).bind(7, standing.id).bind(8, standing.clubBookKey)
            .bind(9, standing.memberKey).bind(10, standing.reading).bind(11, standing.createdAt).run()
        return connection.lastInsertedKey
    }

    static func update(_ standing: Standing, changed: FieldSet, in connection: Connection) throws(SQLiteError) {
        let statement = try connection.statement(
            """
            UPDATE standings SET version = ?1, progress = ?2, state = ?3, last_read_at = ?4, finished_at = ?5,
                updated_at = ?6
            WHERE key = ?7
            """)
        try bind(standing, to: statement).bind(7, standing.key).run()
    }

    static func delete(_ standing: Standing, in connection: Connection) throws(SQLiteError) {
        try connection.statement("DELETE FROM standings WHERE key = ?1").bind(1, standing.key).run()
    }

    static func scope(of row: Standing, key: Int64, in connection: Connection) -> Scope { .club(key: row.clubKey) }

    private static func bind(_ standing: Standing, to statement: Statement) -> Statement {
        statement.bind(1, standing.version).bind(2, standing.progress.map { Int64($0.millionths) })
            .bind(3, standing.state?.rawValue).bind(4, standing.lastReadAt).bind(5, standing.finishedAt)
            .bind(6, standing.updatedAt)
    }
}

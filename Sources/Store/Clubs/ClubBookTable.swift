import Model

/// Rows of the books on clubs' reading lists.
enum ClubBookTable: Table {
    static let columns = """
        club_books.key, club_books.id, club_books.version, club_books.club, clubs.id, club_books.book, books.id, \
        club_books.place, club_books.state, club_books.created_at, club_books.updated_at, books.page_count
        """

    /// What `columns` needs.
    static let joins = """
        club_books JOIN clubs ON clubs.key = club_books.club JOIN books ON books.key = club_books.book
        """

    static func row(_ statement: Statement) -> ClubBook {
        var book = ClubBook(
            id: statement.id(1), club: (statement.id(4), statement.integer(3)),
            book: (statement.id(6), statement.integer(5)), place: statement.int32(7),
            state: ClubBook.State(rawValue: statement.text(8)) ?? .planned, createdAt: statement.instant(9))
        book.key = statement.integer(0)
        book.version = statement.integer(2)
        book.updatedAt = statement.instant(10)
        book.pageCount = statement.optionalInt32(11)
        return book
    }

    /// A book on a club's list; without an id the current one.
    static func find(_ id: ResourceID?, of club: Int64, in connection: Connection) throws(SQLiteError) -> ClubBook? {
        let statement = try connection.statement(shape: Connection.Shape.of(.clubBook, id == nil ? 1 : 0)) {
            """
            SELECT \(columns) FROM \(joins)
            WHERE club_books.club = ?1 AND \(id == nil ? "club_books.state = 'current'" : "books.id = ?2")
            """
        }.bind(1, club)
        if let id { statement.bind(2, id) }
        return try statement.first(row)
    }

    static func find(key: Int64, in connection: Connection) throws(SQLiteError) -> ClubBook? {
        try connection.statement(shape: Connection.Shape.of(.clubBook, 2)) {
            "SELECT \(columns) FROM \(joins) WHERE club_books.key = ?1"
        }.bind(1, key).first(row)
    }

    /// How many a club has, and the greatest place among them.
    static func extent(of club: Int64, in connection: Connection) throws(SQLiteError) -> (count: Int64, place: Int32) {
        try connection.statement("SELECT count(*), ifnull(max(place), 0) FROM club_books WHERE club = ?1").bind(1, club)
            .first { ($0.integer(0), $0.int32(1)) } ?? (0, 0)
    }

    static func insert(_ book: ClubBook, in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.statement(
            """
            INSERT INTO club_books (id, version, club, book, place, state, created_at, updated_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """
        ).bind(1, book.id).bind(2, book.version).bind(3, book.clubKey).bind(4, book.bookKey)
            .bind(5, Int64(book.place)).bind(6, book.state.rawValue).bind(7, book.createdAt).bind(8, book.updatedAt)
            .run()
        return connection.lastInsertedKey
    }

    static func update(_ book: ClubBook, changed: FieldSet, in connection: Connection) throws(SQLiteError) {
        try connection.statement(
            "UPDATE club_books SET version = ?1, place = ?2, state = ?3, updated_at = ?4 WHERE key = ?5"
        ).bind(1, book.version).bind(2, Int64(book.place)).bind(3, book.state.rawValue).bind(4, book.updatedAt)
            .bind(5, book.key).run()
    }

    static func delete(_ book: ClubBook, in connection: Connection) throws(SQLiteError) {
        try connection.statement("DELETE FROM club_books WHERE key = ?1").bind(1, book.key).run()
    }

    static func scope(of row: ClubBook, key: Int64, in connection: Connection) -> Scope { .club(key: row.clubKey) }
}

import Model

/// Rows of clubs' runs.
enum ClubBookTable: Table {
    static let rows = Rows<ClubBook>(
        "club_books",
        joins: """
            club_books JOIN clubs ON clubs.key = club_books.club JOIN books ON books.key = club_books.book \
            LEFT JOIN readers AS proposers ON proposers.key = club_books.proposer
            """)

    static func scope(of row: ClubBook) -> Scope { .club(key: row.clubKey) }

    private static let ofClub = rows.sql("WHERE club_books.club = ?1 AND club_books.id = ?2")
    private static let latest = rows.sql(
        """
        WHERE club_books.club = ?1 AND books.id = ?2
        ORDER BY club_books.state = 'proposed', club_books.key DESC LIMIT 1
        """)
    private static let first = rows.sql(
        "WHERE club_books.club = ?1 AND books.id = ?2 AND club_books.is_first = 1")
    private static let currentOfBook = rows.sql(
        """
        WHERE club_books.club = ?1 AND books.id = ?2 AND club_books.state = 'current'
        ORDER BY club_books.key DESC LIMIT 1
        """)
    private static let current = rows.sql(
        "WHERE club_books.club = ?1 AND club_books.state = 'current' ORDER BY club_books.place, club_books.key")

    /// A run of a club.
    static func find(run: ResourceID, of club: Int64, in connection: Connection) throws(SQLiteError) -> ClubBook? {
        try connection.statement(ofClub).bind(1, club).bind(2, run).first(row)
    }

    /// The latest run of a book; a proposal only where nothing else is there.
    static func latest(of book: ResourceID, in club: Int64, in connection: Connection) throws(SQLiteError) -> ClubBook?
    {
        try connection.statement(latest).bind(1, club).bind(2, book).first(row)
    }

    /// The first run of a book: see `ClubBook.isFirst`.
    static func first(of book: ResourceID, in club: Int64, in connection: Connection) throws(SQLiteError) -> ClubBook? {
        try connection.statement(first).bind(1, club).bind(2, book).first(row)
    }

    /// The run that is meant where a book is named: the one that is current, or else the latest.
    static func meant(by book: ResourceID, in club: Int64, in connection: Connection) throws(SQLiteError) -> ClubBook? {
        if let current = try connection.statement(currentOfBook).bind(1, club).bind(2, book).first(row) {
            return current
        }
        return try latest(of: book, in: club, in: connection)
    }

    /// The runs that a club is at, in its order: where none is named, the first of them is meant.
    static func current(of club: Int64, in connection: Connection) throws(SQLiteError) -> [ClubBook] {
        try connection.statement(current).bind(1, club).all(row)
    }

    /// How many a club has, besides proposals, and the greatest place among them.
    static func extent(of club: Int64, in connection: Connection) throws(SQLiteError) -> (count: Int64, place: Int32) {
        try connection.statement(
            "SELECT ifnull(sum(state <> 'proposed'), 0), ifnull(max(place), 0) FROM club_books WHERE club = ?1"
        ).bind(1, club).first { ($0.integer(0), $0.int32(1)) } ?? (0, 0)
    }

    /// How many proposals wait in a club, and how many of them are that reader's.
    static func proposals(
        in club: Int64, by reader: Int64, in connection: Connection
    ) throws(SQLiteError) -> (all: Int64, own: Int64) {
        try connection.statement(
            """
            SELECT count(*), ifnull(sum(proposer IS ?2), 0) FROM club_books WHERE club = ?1 AND state = 'proposed'
            """
        ).bind(1, club).bind(2, reader).first { ($0.integer(0), $0.integer(1)) } ?? (0, 0)
    }

    /// Whether a club has a run of a book.
    static func has(book: Int64, in club: Int64, in connection: Connection) throws(SQLiteError) -> Bool {
        try connection.statement("SELECT 1 FROM club_books WHERE club = ?1 AND book = ?2 LIMIT 1")
            .bind(1, club).bind(2, book).first { _ in true } ?? false
    }

    /// Of an edition of its book; and the first of it only where another one is not.
    static func imported(
        _ row: ClubBook, over old: ClubBook?, _ state: borrowing WriteState, _ asker: Asker, _ context: ImportContext
    ) throws(LecternError) -> Decision {
        var run = row
        if let id = row.edition, try state.read(EditionTable.find(id, in: state.db))?.bookKey != row.bookKey {
            throw .unknown("edition")
        }
        if old == nil, run.isFirst {
            run.isFirst = try state.read(first(of: row.book, in: row.clubKey, in: state.db)) == nil
        }
        return Decision([Write<ClubBookTable>(before: old, after: run, keepsTimes: true)])
    }
}

import Model

/// The table of runs.
enum ClubRunTable: ExportedTable {
    static let rows = TableMapping<ClubRun>(
        "runs",
        joins: """
            runs JOIN clubs ON clubs.key = runs.club JOIN books ON books.key = runs.book \
            LEFT JOIN readers AS proposers ON proposers.key = runs.proposer
            """)

    static func scope(of row: ClubRun) -> ChangeScope { .club(key: row.clubKey) }

    static let endings: [ResourceEnding] = []

    /// Returns the latest run of a book that a club has decided on.
    static func latestDecided(
        of book: ResourceID, in club: Int64, in connection: SQLiteConnection
    ) throws(SQLiteError) -> ClubRun? {
        try matching(
            "runs.club = ?1 AND books.id = ?2 AND runs.state <> 'proposed' ORDER BY runs.key DESC LIMIT 1",
            in: connection
        ).bind(club, book).first(row)
    }

    /// Returns the current runs of a club, in the order of its list.
    static func current(of club: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> [ClubRun] {
        try matching(
            "runs.club = ?1 AND runs.state = 'current' ORDER BY runs.place, runs.key", in: connection
        ).bind(club).all(row)
    }

    /// Returns the number of a club's runs, without proposals, and the greatest place of a run in the club's list.
    static func extent(of club: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> (
        count: Int64, place: Int32
    ) {
        try connection.statement(
            "SELECT ifnull(sum(state <> 'proposed'), 0), ifnull(max(place), 0) FROM runs WHERE club = ?1"
        ).bind(club).first { ($0.integer(0), $0.int32(1)) } ?? (0, 0)
    }

    /// Returns the number of proposals in a club, and the number of one reader's proposals.
    static func proposals(
        in club: Int64, by reader: Int64, in connection: SQLiteConnection
    ) throws(SQLiteError) -> (all: Int64, own: Int64) {
        try connection.statement(
            """
            SELECT count(*), ifnull(sum(proposer IS ?2), 0) FROM runs WHERE club = ?1 AND state = 'proposed'
            """
        ).bind(club, reader).first { ($0.integer(0), $0.integer(1)) } ?? (0, 0)
    }

    /// Decides an imported run, and throws if its edition is of another book, or if it ends before it starts.
    static func complete(_ imported: inout RowImport<ClubRun>, _ state: borrowing WriteState) throws(RequestError) {
        if let id = imported.row.edition,
            try state.query(EditionTable.find(id, in: state.db))?.bookKey != imported.row.bookKey
        {
            throw .unknown("edition")
        }
        try imported.row.demandOrder()
        imported.row.title = try state.found(BookTable.find(key: imported.row.bookKey, in: state.db)).title
    }
}

package import Model

/// What a club reads, by when, and where its members are. Who asks has been found to be a member.
extension ReadConnection {
    private static let books = TableList<ClubBookTable>(where: "club_books.club = ?1", by: "club_books.place")

    /// The books on a club's list, in its order.
    package func books(ofClub club: Int64, after cursor: String?, limit: Int) throws(LecternError) -> Page<ClubBook> {
        try page(Self.books, after: cursor, limit: limit) { $0.bind(1, club) }
    }

    /// A book on a club's list; without an id the current one.
    package func book(_ id: ResourceID?, ofClub club: Int64) throws(LecternError) -> ClubBook? {
        try query { db throws(SQLiteError) in try ClubBookTable.find(id, of: club, in: db) }
    }

    private static let milestones = TableList<MilestoneTable>(where: "club_books.club = ?1", by: "milestones.due_at")
    private static let milestonesOfBook = TableList<MilestoneTable>(
        where: "club_books.club = ?1 AND books.id = ?2", by: "milestones.due_at")

    /// A club's milestones, of one book where one is given, in the order in which they fall due.
    package func milestones(
        ofClub club: Int64, book: ResourceID?, after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<Milestone> {
        try page(book == nil ? Self.milestones : Self.milestonesOfBook, after: cursor, limit: limit) {
            $0.bind(1, club).bind(ifAny: book)
        }
    }

    private static let standings = TableList<StandingTable>(
        where: "club_books.club = ?1 AND club_books.state = 'current'")
    private static let standingsOfBook = TableList<StandingTable>(where: "club_books.club = ?1 AND books.id = ?2")

    /// A club's standings in a book, or in its current one, in the order in which the members began to read along.
    package func standings(
        ofClub club: Int64, book: ResourceID?, after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<Standing> {
        try page(book == nil ? Self.standings : Self.standingsOfBook, after: cursor, limit: limit) {
            $0.bind(1, club).bind(ifAny: book)
        }
    }
}

extension Statement {
    fileprivate func bind(ifAny book: ResourceID?) { if let book { bind(2, book) } }
}

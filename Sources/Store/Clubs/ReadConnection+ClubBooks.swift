package import Model

/// What a club reads, by when, and where its members are. Who asks has been found to be a member.
extension ReadConnection {
    private static let runs = TableList<ClubBookTable>(
        where: """
            club_books.club = ?1 AND (?2 IS NULL OR books.id = ?2) AND (?3 IS NULL OR club_books.state = ?3) \
            AND (?4 = 0 OR club_books.state IN ('planned', 'current', 'read'))
            """, by: "club_books.place")

    /// A club's runs, in its order.
    package func runs(
        ofClub club: Int64, _ filter: RunFilter = RunFilter(), after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<ClubBook> {
        try page(Self.runs, after: cursor, limit: limit) {
            $0.bind(1, club).bind(2, filter.book).bind(3, filter.state?.rawValue).bind(4, filter.isChosen ? 1 : 0)
        }
    }

    /// A run of a club.
    package func run(_ id: ResourceID, ofClub club: Int64) throws(LecternError) -> ClubBook? {
        try query { db throws(SQLiteError) in try ClubBookTable.find(run: id, of: club, in: db) }
    }

    /// The run of a club that is meant where a book is named: the one that is current, or else the latest.
    package func run(meantBy book: ResourceID, inClub club: Int64) throws(LecternError) -> ClubBook? {
        try query { db throws(SQLiteError) in try ClubBookTable.meant(by: book, in: club, in: db) }
    }

    /// The latest run of a book in a club; a proposal only where nothing else is there.
    package func run(latestOf book: ResourceID, inClub club: Int64) throws(LecternError) -> ClubBook? {
        try query { db throws(SQLiteError) in try ClubBookTable.latest(of: book, in: club, in: db) }
    }

    /// A milestone of a club.
    package func milestone(_ id: ResourceID, ofClub club: Int64) throws(LecternError) -> Milestone? {
        try query { db throws(SQLiteError) in try MilestoneTable.find(id, of: club, in: db) }
    }

    /// A standing that all members of its club are shown.
    package func standing(_ id: ResourceID, ofClub club: Int64) throws(LecternError) -> Standing? {
        try query { db throws(SQLiteError) in try StandingTable.find(id, of: club, in: db) }
    }

    /// Whether a book is on a club's list.
    package func has(_ book: ResourceID, onListOfClub club: Int64) throws(LecternError) -> Bool {
        try query { db throws(SQLiteError) in try ClubBookTable.latest(of: book, in: club, in: db) != nil }
    }

    private static let milestones = TableList<MilestoneTable>(where: "club_books.club = ?1", by: "milestones.due_at")
    private static let milestonesOfBook = TableList<MilestoneTable>(
        where: "club_books.club = ?1 AND books.id = ?2", by: "milestones.due_at")
    private static let milestonesOfRun = TableList<MilestoneTable>(
        where: "club_books.club = ?1 AND club_books.id = ?2", by: "milestones.due_at")

    /// A club's milestones, of one book or one run where one is given, in the order in which they fall due.
    package func milestones(
        ofClub club: Int64, book: ResourceID? = nil, run: OfRun? = nil, after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<Milestone> {
        let list = run != nil ? Self.milestonesOfRun : book != nil ? Self.milestonesOfBook : Self.milestones
        return try page(list, after: cursor, limit: limit) { $0.bind(1, club).bind(ifAny: run?.run ?? book) }
    }

    private static let standings = TableList<StandingTable>(
        where: "club_books.club = ?1 AND standings.audience = ?3 AND club_books.state = 'current'")
    private static let standingsOfBook = TableList<StandingTable>(
        where: "club_books.club = ?1 AND standings.audience = ?3 AND books.id = ?2")
    private static let standingsOfRun = TableList<StandingTable>(
        where: "club_books.club = ?1 AND standings.audience = ?3 AND club_books.id = ?2")

    /// A club's standings in a book, a run, or in those that are current, in the order in which the members began to read along, as all
    /// are shown them; or as moderators are who share with these otherwise.
    package func standings(
        ofClub club: Int64, shownTo audience: Standing.Audience = .club, book: ResourceID? = nil, run: OfRun? = nil,
        after cursor: String?, limit: Int
    ) throws(LecternError) -> Page<Standing> {
        let list = run != nil ? Self.standingsOfRun : book != nil ? Self.standingsOfBook : Self.standings
        return try page(list, after: cursor, limit: limit) {
            $0.bind(1, club).bind(3, audience.rawValue).bind(ifAny: run?.run ?? book)
        }
    }
}

extension Statement {
    fileprivate func bind(ifAny book: ResourceID?) { if let book { bind(2, book) } }
}

package import Model

/// Queries for a club's runs, milestones and standings. The caller must have checked that the viewer is a member.
extension ReadConnection {
    private static let runs = SortedTableList<ClubRunTable>(
        where: "runs.club = ?1 AND (?2 IS NULL OR books.id = ?2) AND (?3 IS NULL OR runs.state = ?3)", by: "runs.place")

    /// Returns a club's runs in the order of its list, optionally of one book or in one state.
    package func runs(
        ofClub club: Int64, book: ResourceID? = nil, state: ClubRunState? = nil, after cursor: String?, limit: Int
    ) throws(RequestError) -> ListPage<ClubRun> {
        try page(Self.runs, after: cursor, limit: limit) {
            $0.bind(club, book, state?.rawValue)
        }
    }

    /// Returns a run of a club.
    package func run(_ id: ResourceID, ofClub club: Int64) throws(RequestError) -> ClubRun? {
        try query { db throws(SQLiteError) in try ClubRunTable.find(id, of: club, in: db) }
    }

    /// Returns a milestone of a club.
    package func milestone(_ id: ResourceID, ofClub club: Int64) throws(RequestError) -> Milestone? {
        try query { db throws(SQLiteError) in try MilestoneTable.find(id, of: club, in: db) }
    }

    /// Returns a standing of a club as a member sees it.
    package func standing(_ id: ResourceID, ofClub club: Int64, for member: Member) throws(RequestError) -> Standing? {
        try query { db throws(SQLiteError) in
            try StandingTable.find(id, of: club, in: db).map { standing throws(SQLiteError) in
                try Self.shown(standing, to: member, db)
            }
        }
    }

    private static func shown(_ standing: Standing, to member: Member, _ db: SQLiteConnection) throws(SQLiteError)
        -> Standing
    {
        guard member.role != .member, standing.isApart,
            let moderators = try ModeratorStandingTable.find(standing.id, in: db)
        else { return standing }
        return Standing(showing: moderators)
    }

    /// Returns a Boolean value indicating whether a club has a run of a book.
    package func has(_ book: ResourceID, inRunsOfClub club: Int64) throws(RequestError) -> Bool {
        try query { db throws(SQLiteError) in try ClubRunTable.has(book: book, in: club, in: db) }
    }

    private static let milestones = SortedTableList<MilestoneTable>(where: "runs.club = ?1", by: "milestones.due_at")
    private static let milestonesOfBook = SortedTableList<MilestoneTable>(
        where: "runs.club = ?1 AND books.id = ?2", by: "milestones.due_at")
    private static let milestonesOfRun = SortedTableList<MilestoneTable>(
        where: "runs.club = ?1 AND runs.id = ?2", by: "milestones.due_at")

    /// Returns a club's milestones, optionally of one book or run, by due date.
    package func milestones(
        ofClub club: Int64, book: ResourceID? = nil, run: ResourceID? = nil, after cursor: String?, limit: Int
    ) throws(RequestError) -> ListPage<Milestone> {
        let list = run != nil ? Self.milestonesOfRun : book != nil ? Self.milestonesOfBook : Self.milestones
        return try page(list, after: cursor, limit: limit) { $0.bind(club).bind(ifAny: run ?? book) }
    }

    private static let standings = SortedTableList<StandingTable>(where: "runs.club = ?1 AND runs.state = 'current'")
    private static let standingsOfBook = SortedTableList<StandingTable>(where: "runs.club = ?1 AND books.id = ?2")
    private static let standingsOfRun = SortedTableList<StandingTable>(where: "runs.club = ?1 AND runs.id = ?2")

    /// Returns a club's standings as a member sees them, oldest first. They are those of a book, of a run, or of the
    /// current runs.
    package func standings(
        ofClub club: Int64, for member: Member, book: ResourceID? = nil, run: ResourceID? = nil,
        after cursor: String?, limit: Int
    ) throws(RequestError) -> ListPage<Standing> {
        let list = run != nil ? Self.standingsOfRun : book != nil ? Self.standingsOfBook : Self.standings
        let page = try page(list, after: cursor, limit: limit) { $0.bind(club).bind(ifAny: run ?? book) }
        guard member.role != .member else { return page }
        return try page.map { standing throws(RequestError) in
            try query { db throws(SQLiteError) in try Self.shown(standing, to: member, db) }
        }
    }
}

extension SQLiteStatement {
    fileprivate func bind(ifAny book: ResourceID?) { if let book { bind(at: 2, book) } }
}

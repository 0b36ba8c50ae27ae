package import Model

/// Queries for a club's runs, milestones and standings. The caller must have checked that the viewer is a member.
extension ReadConnection {
    /// The runs of the club `?1`, in the order of its list.
    package static let runs = SortedTableList(
        ClubRunTable.rows, where: "runs.club = ?1", order: ListOrder(by: .number("place")))

    /// The milestones of the club `?1`, by due date.
    package static let milestones = SortedTableList(
        MilestoneTable.rows, where: "runs.club = ?1", order: ListOrder(by: .instant("dueAt")))

    /// Returns a run of a club.
    package func run(_ id: ResourceID, ofClub club: Int64) throws(RequestError) -> ClubRun? {
        try query(ClubRunTable.find(id, of: club, in: db))
    }

    /// Returns a milestone of a club.
    package func milestone(_ id: ResourceID, ofClub club: Int64) throws(RequestError) -> Milestone? {
        try query(MilestoneTable.find(id, of: club, in: db))
    }

    /// Returns a standing of a club as a member sees it.
    package func standing(_ id: ResourceID, ofClub club: Int64, for member: Member) throws(RequestError) -> Standing? {
        try query(
            StandingTable.find(id, of: club, in: db).map { standing throws(SQLiteError) in
                try Self.shown(standing, to: member, db)
            })
    }

    private static func shown(_ standing: Standing, to member: Member, _ db: SQLiteConnection) throws(SQLiteError)
        -> Standing
    {
        guard member.role.moderates, standing.hasModeratorVersion,
            let moderators = try ModeratorStandingTable.find(standing.id, in: db)
        else { return standing }
        return Standing(showing: moderators)
    }

    /// Returns a Boolean value indicating whether a club has a run of a book, including proposals.
    package func has(_ book: ResourceID, inRunsOfClub club: Int64) throws(RequestError) -> Bool {
        try query(
            db.statement(
                "SELECT 1 FROM runs JOIN books ON books.key = runs.book WHERE runs.club = ?1 AND books.id = ?2 LIMIT 1"
            ).bind(club, book).hasRow())
    }

    static let standings = SortedTableList(StandingTable.rows, where: "runs.club = ?1")

    /// Returns a club's standings that pass a filter, as a member sees them, oldest first.
    package func standings(
        ofClub club: Int64, for member: Member, where filter: ListFilter, after cursor: String?, limit: Int
    ) throws(RequestError) -> ListPage<Standing> {
        var filter = filter
        // The index of one run has the list's order, so that a later page need not sort all standings.
        if cursor != nil, filter["isCurrent"] != nil {
            let current = try query(ClubRunTable.current(of: club, in: db))
            if current.count == 1 { filter = filter.having("run", current[0].id) }
        }
        let page = try Self.standings.page(self, of: club, where: filter, after: cursor, limit: limit)
        guard member.role.moderates else { return page }
        return try page.map { standing throws(RequestError) in
            try query(Self.shown(standing, to: member, db))
        }
    }
}

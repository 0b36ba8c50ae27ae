package import Model

/// Queries for clubs and their members. The caller must have checked that the viewer is a member.
extension ReadConnection {
    /// Returns a club and the reader's membership, or `nil` if the reader is not in it or it does not exist.
    package func club(_ id: ResourceID, of reader: Int64) throws(RequestError) -> (club: Club, member: Member)? {
        try query { db throws(SQLiteError) in
            guard let club = try ClubTable.find(id, in: db),
                let member = try MemberTable.find(reader: reader, club: club.key, in: db)
            else { return nil }
            return (club, member)
        }
    }

    private static let joins = "members JOIN clubs ON clubs.key = members.club"
    private static let clubs = SortedTableList(
        ClubTable.rows, joins: joins, where: "members.reader = ?1", by: "members.key", order: .newestFirst)
    private static let clubsByPlace = SQLText(
        """
        SELECT \(ClubTable.rows.columns), (1 << 62) - members.key AS place FROM \(joins)
        WHERE members.reader = ?1 AND place > ?2 AND place <= ?3 ORDER BY place
        """)

    /// Returns the clubs of a reader, last joined first. With `bestFirst`, returns the best matches of the search
    /// first.
    package func clubs(
        of reader: Int64, search: SearchQuery? = nil, bestFirst: Bool = false, after cursor: String?, limit: Int
    ) throws(RequestError) -> ListPage<Club> {
        if bestFirst, let search {
            let results = ClubSearchResults<ClubTable>(search, Self.clubsByPlace, of: reader, in: db) {
                SearchedWords(of: $0)
            }
            return try page(of: results, after: cursor, limit: limit)
        }
        let passes = search.map { search in { (club: Club) in search.matches(SearchedWords(of: club)) } }
        return try page(Self.clubs, after: cursor, limit: limit, { $0.bind(reader) }, passes: passes)
    }

    /// The members of the club `?1`, last joined first.
    package static let members = SortedTableList(MemberTable.rows, where: "members.club = ?1", order: .newestFirst)

    /// Returns a member of a club by the reader's id.
    package func member(_ reader: ResourceID, of club: Int64) throws(RequestError) -> Member? {
        try query(
            ReaderTable.find(reader, in: db).flatMap { reader throws(SQLiteError) in
                try MemberTable.find(reader: reader.key, club: club, in: db)
            })
    }

    /// The invitations to the club `?1`, newest first.
    package static let invitations = SortedTableList(
        InvitationTable.rows, where: "invitations.club = ?1", order: .newestFirst)

    /// The readers who were removed from the club `?1`, last first.
    package static let removals = SortedTableList(
        MemberRemovalTable.rows, where: "removals.club = ?1", order: .newestFirst)

    /// The listed clubs, in the order of their founding.
    package static let listings = SortedTableList(ClubListingTable.rows)
    private static let listingsByPlace = SQLText(
        """
        SELECT \(ClubListingTable.rows.columns), key FROM listings
        WHERE key > ?2 AND key <= ?3 ORDER BY key
        """)

    /// Returns the listed clubs, in the order of their founding. With `bestFirst`, returns the best matches of the
    /// search first.
    package func listings(
        search: SearchQuery? = nil, bestFirst: Bool = false, after cursor: String?, limit: Int
    ) throws(RequestError) -> ListPage<ClubListing> {
        guard let search else { return try page(Self.listings, after: cursor, limit: limit) }
        if bestFirst {
            let results = ClubSearchResults<ClubListingTable>(search, Self.listingsByPlace, in: db) {
                SearchedWords(of: $0)
            }
            return try page(of: results, after: cursor, limit: limit)
        }
        let passes = { (listing: ClubListing) in search.matches(SearchedWords(of: listing)) }
        return try page(Self.listings, after: cursor, limit: limit, passes: passes)
    }

    /// Returns a request to join. The caller must check whose it is, or to which club.
    package func joinRequest(_ id: ResourceID) throws(RequestError) -> JoinRequest? {
        try query(JoinRequestTable.find(id, in: db))
    }

    /// The requests of the reader `?1`, oldest first.
    package static let ownJoinRequests = SortedTableList(JoinRequestTable.rows, where: "join_requests.reader = ?1")

    /// The requests to join the club `?1`, oldest first.
    package static let joinRequests = SortedTableList(JoinRequestTable.rows, where: "join_requests.club = ?1")
}

package import Model

/// The table of links.
enum OneTimeLinkTable: ResourceTable {
    static let rows = TableMapping<OneTimeLink>(
        "links",
        joins: """
            links JOIN readers AS makers ON makers.key = links.maker LEFT JOIN readers ON readers.key = links.reader \
            LEFT JOIN clubs ON clubs.key = links.club
            """)

    static func scope(of row: OneTimeLink) -> ChangeScope { .reader(key: row.makerKey) }

    private static let ofDigest = rows.sql("WHERE links.digest = ?1")
    private static let ofMaker = rows.sql("WHERE links.maker = ?1 ORDER BY links.expires_at")
    private static let ofReader = rows.sql("WHERE links.reader = ?1")
    private static let ofClub = rows.sql("WHERE links.club = ?1")

    static func find(_ digest: SHA256Digest, in connection: SQLiteConnection) throws(SQLiteError) -> OneTimeLink? {
        try connection.statement(ofDigest).bind(digest).first(row)
    }

    /// Returns the link with that digest if it can be used: it has not expired, and its maker is not suspended and may
    /// create it now.
    static func valid(
        _ digest: SHA256Digest, by makers: RegistrationLinkCreators, at now: Instant, in connection: SQLiteConnection
    ) throws(SQLiteError) -> OneTimeLink? {
        guard let link = try find(digest, in: connection), now < link.expiresAt,
            let maker = try ReaderTable.find(key: link.makerKey, in: connection), maker.suspension == nil
        else { return nil }
        guard let clubKey = link.clubKey else { return maker.role == .administrator ? link : nil }
        guard makers.include(maker), let club = try ClubTable.find(key: clubKey, in: connection), !club.isArchived,
            let member = try MemberTable.find(reader: maker.key, club: clubKey, in: connection),
            ClubRights.allow(.invite, member.role)
        else { return nil }
        return link
    }

    /// Returns all links of a maker, by expiry.
    static func all(maker: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> [OneTimeLink] {
        try connection.statement(ofMaker).bind(maker).all(row)
    }

    /// Returns all password reset links for a reader.
    static func resets(ofReader reader: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> [OneTimeLink] {
        try connection.statement(ofReader).bind(reader).all(row)
    }

    /// Returns the deletion of the maker's links that only administrators may create.
    static func changesBeforeRoleChange(of maker: Reader, in connection: SQLiteConnection) throws(SQLiteError)
        -> [any CommandChange]
    {
        deletions(of: try all(maker: maker.key, in: connection).filter { $0.clubKey == nil })
    }

    static func changes(atEndOf ending: EndingResource, in connection: SQLiteConnection) throws(SQLiteError)
        -> [any CommandChange]
    {
        guard case .club(let club) = ending else { return [] }
        return deletions(of: try connection.statement(ofClub).bind(club.key).all(row))
    }
}

extension ReadConnection {
    /// The links of all makers, newest first.
    package static let links = SortedTableList(OneTimeLinkTable.rows, order: .newestFirst)

    /// The links of the maker `?1`, newest first.
    package static let ownLinks = SortedTableList(
        OneTimeLinkTable.rows, where: "links.maker = ?1", order: .newestFirst)

    /// Returns the link with that digest, or `nil`.
    package func link(digest: SHA256Digest) throws(RequestError) -> OneTimeLink? {
        try query { db throws(SQLiteError) in try OneTimeLinkTable.find(digest, in: db) }
    }
}

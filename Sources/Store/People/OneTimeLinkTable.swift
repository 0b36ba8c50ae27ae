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

    /// Returns the link with that digest if it can be used: it has not expired, and its maker is not suspended and may
    /// create it now.
    static func valid(
        _ digest: SHA256Digest, by makers: RegistrationLinkCreators, at now: Instant, in connection: SQLiteConnection
    ) throws(SQLiteError) -> OneTimeLink? {
        guard let link = try all(of: "digest", digest, in: connection).first, now < link.expiresAt,
            let maker = try ReaderTable.find(key: link.makerKey, in: connection), maker.suspension == nil
        else { return nil }
        guard let clubKey = link.clubKey else { return maker.role == .administrator ? link : nil }
        guard makers.include(maker), let club = try ClubTable.find(key: clubKey, in: connection), !club.isArchived,
            let member = try MemberTable.find(reader: maker.key, club: clubKey, in: connection),
            ClubRights.allow(.invite, member.role)
        else { return nil }
        return link
    }

    /// Returns the links that a reader made, and those for the reader.
    static func all(byOrFor reader: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> [OneTimeLink] {
        try matching("links.maker = ?1 OR links.reader = ?1", in: connection).bind(reader).all(row)
    }

    static let endings = [ending(of: .club, where: "links.club = ?1")]
}

extension ReadConnection {
    /// The links of all makers, newest first.
    package static let links = SortedTableList(OneTimeLinkTable.rows, order: .newestFirst)

    /// The links of the maker `?1`, newest first.
    package static let ownLinks = SortedTableList(
        OneTimeLinkTable.rows, where: "links.maker = ?1", order: .newestFirst)
}

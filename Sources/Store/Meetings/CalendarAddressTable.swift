import Model

/// The table of calendar addresses.
enum CalendarAddressTable: ResourceTable {
    static let rows = TableMapping<CalendarAddress>(
        "calendars",
        joins: "calendars JOIN members ON members.key = calendars.member JOIN clubs ON clubs.key = members.club",
        times: .created)

    static func scope(of row: CalendarAddress) -> ChangeScope { .reader(key: row.readerKey) }

    /// Returns the key of the club whose calendar has a secret address, or `nil` if there is none or its member is
    /// suspended.
    static func club(digest: SHA256Digest, in connection: SQLiteConnection) throws(SQLiteError) -> Int64? {
        try connection.statement(
            """
            SELECT members.club FROM calendars JOIN members ON members.key = calendars.member
                JOIN readers ON readers.key = members.reader
            WHERE calendars.digest = ?1 AND readers.suspension IS NULL
            """
        ).bind(digest).first { $0.integer(0) }
    }

    static let endings = [
        ending(of: .club, where: "members.club = ?1"),
        ending(of: .member, where: "calendars.member = ?1"),
    ]
}

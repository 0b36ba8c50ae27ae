import Model

/// The table of calendar addresses.
enum CalendarAddressTable: ResourceTable {
    static let rows = TableMapping<CalendarAddress>(
        "calendars",
        joins: "calendars JOIN members ON members.key = calendars.member JOIN clubs ON clubs.key = members.club",
        times: .created)

    static func scope(of row: CalendarAddress) -> ChangeScope { .reader(key: row.readerKey) }

    static let endings = [
        ending(of: .club, where: "members.club = ?1"),
        ending(of: .member, where: "calendars.member = ?1"),
    ]
}

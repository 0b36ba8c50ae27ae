import Model

/// A table of the database, and what can be said of its rows. The list exists once, and whatever must be said of every table
/// walks it; a test compares it with the schema.
struct StoredTable: Sendable {
    /// How the rows of a kind of resource are read, so that they can be held against the log.
    struct Resources: Sendable {
        let kind: ResourceKind
        /// All rows as `read` takes them.
        let select: String
        /// What a row shows, and to whom.
        let read: @Sendable (Statement, Connection) throws(SQLiteError) -> (shown: [UInt8], scope: Scope)
        /// Members that show something else's row, or change without an event.
        var derived: Set<String> = []
    }

    let name: String
    var resources: Resources?
    /// Columns that hold JSON.
    var json: [String] = []
    /// Queries that give a text for each row that cannot be: see `Rules`.
    var rules: [String] = []

    private static func of<Rows: Table & SendableMetatype>(
        _ rows: Rows.Type, _ name: String, _ columns: String, from joins: String? = nil, derived: Set<String> = [],
        json: [String] = [], rules: [String] = [], _ row: @escaping @Sendable (Statement) -> Rows.Row
    ) -> StoredTable {
        let select = "SELECT \(columns) FROM \(joins ?? name)"
        return StoredTable(
            name: name,
            resources: Resources(
                kind: Rows.Row.kind, select: select,
                read: { (statement, connection) throws(SQLiteError) in
                    let row = row(statement)
                    return (row.encoded(), try Rows.scope(of: row, key: row.key, in: connection))
                }, derived: derived),
            json: json, rules: rules)
    }

    /// All tables there are.
    static let all: [StoredTable] = [
        StoredTable(name: "meta", rules: Rules.meta),
        .of(ReaderTable.self, "readers", ReaderTable.columns, rules: Rules.readers, ReaderTable.row),
        StoredTable(
            name: "tokens",
            resources: Resources(
                kind: .token,
                select: "SELECT \(TokenTable.columns) FROM tokens JOIN readers ON readers.key = tokens.reader",
                read: { (statement, _) in
                    let token = TokenTable.row(statement)
                    return (token.encoded(), .reader(key: token.readerKey))
                }, derived: ["lastUsedOn"])),
        .of(BookTable.self, "books", BookTable.columns, json: ["authors"], rules: Rules.books, BookTable.row),
        StoredTable(name: "books_words", rules: Rules.words(of: "books_words", "books", where: "1")),
        .of(
            ReadingTable.self, "readings", ReadingTable.columns,
            from: """
                readings JOIN readers ON readers.key = readings.reader JOIN books ON books.key = readings.book
                """, rules: Rules.readings, ReadingTable.row),
        .of(
            EntryTable.self, "entries", EntryTable.columns,
            from: "entries JOIN readings ON readings.key = entries.reading", rules: Rules.entries, EntryTable.row),
        StoredTable(name: "doomed_readings", rules: Rules.doomedReadings),
        StoredTable(name: "changes", json: ["value", "before"], rules: Rules.changes + Rules.told),
        StoredTable(name: "idempotency_keys", json: ["value"], rules: Rules.idempotencyKeys),
        .of(ClubTable.self, "clubs", ClubTable.columns, rules: Rules.clubs, ClubTable.row),
        .of(
            MemberTable.self, "members", MemberTable.columns, from: MemberTable.joins, rules: Rules.members,
            MemberTable.row),
        .of(
            InvitationTable.self, "invitations", InvitationTable.columns, from: InvitationTable.joins,
            InvitationTable.row),
        .of(
            NoteTable.self, "notes", NoteTable.columns, from: "\(NoteTable.joins) WHERE notes.body IS NOT NULL",
            json: ["reactions"], rules: Rules.notes, NoteTable.row),
        StoredTable(name: "notes_words", rules: Rules.words(of: "notes_words", "notes", where: "body IS NOT NULL")),
        StoredTable(name: "reach", rules: Rules.reach),
        StoredTable(name: "reactions", rules: Rules.reactions),
        .of(ClubBookTable.self, "club_books", ClubBookTable.columns, from: ClubBookTable.joins, ClubBookTable.row),
        .of(MilestoneTable.self, "milestones", MilestoneTable.columns, from: MilestoneTable.joins, MilestoneTable.row),
        .of(
            StandingTable.self, "standings", StandingTable.columns, from: StandingTable.joins, derived: ["isCurrent"],
            rules: Rules.standings, StandingTable.row),
        .of(MeetingTable.self, "meetings", MeetingTable.columns, from: MeetingTable.joins, MeetingTable.row),
        .of(
            AttendanceTable.self, "attendances", AttendanceTable.columns, from: AttendanceTable.joins,
            AttendanceTable.row),
        .of(CalendarTable.self, "calendars", CalendarTable.columns, from: CalendarTable.joins, CalendarTable.row),
        .of(ListingTable.self, "listings", ListingTable.columns, rules: Rules.listings, ListingTable.row),
        .of(
            JoinRequestTable.self, "join_requests", JoinRequestTable.columns, from: JoinRequestTable.joins,
            rules: Rules.joinRequests, JoinRequestTable.row),
        .of(RemovalTable.self, "removals", RemovalTable.columns, from: RemovalTable.joins, RemovalTable.row),
        StoredTable(name: "former_members", rules: Rules.formerMembers),
        StoredTable(name: "clock_marks", rules: Rules.clockMarks),
    ]
}

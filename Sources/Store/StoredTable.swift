import Model

/// Which rows of a table that name a book are somebody's use of it.
struct BookUse: Sendable {
    /// A condition.
    let byAnybody: String
    /// The same of somebody else than the reader `?2`.
    let byOthers: String

    /// The use of a club, which is that of its members.
    static func ofClub(_ table: String) -> BookUse {
        BookUse(byAnybody: "1", byOthers: others(in: table))
    }

    /// Of a private note, and of a club's: of those what is left of deleted ones counts too, for who was told of them must be
    /// told that they went.
    static let ofNote = BookUse(
        byAnybody: "(body IS NOT NULL OR club IS NOT NULL)",
        byOthers: "body IS NOT NULL AND (author <> ?2 OR \(others(in: "notes")))")

    private static func others(in table: String) -> String {
        "EXISTS (SELECT 1 FROM members WHERE members.club = \(table).club AND members.reader <> ?2)"
    }
}

/// A table of the database, and what can be said of its rows. The list exists once, and whatever must be said of every table
/// walks it: the check, what a resource was, a club's end. A test compares it with the schema.
struct StoredTable: Sendable {
    /// How the rows of a kind of resource are read, so that they can be held against the log.
    struct Resources: Sendable {
        let kind: ResourceKind
        let toldTo: ToldTo
        /// The table's own columns, as rows are made and read.
        let columns: Set<String>
        /// All rows as `read` takes them.
        let select: String
        /// What a row shows, and to whom.
        let read: @Sendable (Statement) -> (shown: [UInt8], scope: Scope)
        /// What the resource is that has an id; nil when there is none.
        let find: @Sendable (ResourceID, Connection) throws(SQLiteError) -> [UInt8]?
        /// Members that show something else's row, or change without an event.
        let derived: Set<String>
        /// What is true of rows that are there: some stay when what they are of has gone.
        let isThere: String
    }

    let name: String
    /// What of it goes along in an export.
    let along: Along
    var resources: Resources?
    /// Columns that hold JSON.
    var json: [String] = []
    /// Of a table whose rows end with their club: which rows are those of the club `?1`.
    var ofClub: String?
    /// Of a table whose rows keep a book: which.
    var ofBook: BookUse?
    /// See `Table.ends`.
    var endsWithMember: (@Sendable (Member, Connection) throws(SQLiteError) -> [any Proposal])?
    var endsWithClub: (@Sendable (Club, Connection) throws(SQLiteError) -> [any Proposal])?
    /// Queries that give a text for each row that cannot be: see `Rules`.
    var rules: [String] = []

    private static func of<Stored: Table>(
        _ stored: Stored.Type, along: Along, toldTo: ToldTo, isThere: String = "1", derived: Set<String> = [],
        json: [String] = [],
        ofClub: String? = nil, ofBook: BookUse? = nil, rules: [String] = []
    ) -> StoredTable {
        let rows = Stored.rows
        let current = SQL("SELECT \(rows.columns) FROM \(rows.joins) WHERE \(rows.name).id = ?1 AND \(isThere)")
        return StoredTable(
            name: rows.name,
            along: along.taken(from: stored, isThere: isThere),
            resources: Resources(
                kind: Stored.Row.kind, toldTo: toldTo, columns: rows.ownColumns,
                select: "SELECT \(rows.columns) FROM \(rows.joins) WHERE \(isThere)",
                read: { statement in
                    let row = rows.row(statement)
                    return (row.encoded(), Stored.scope(of: row))
                },
                find: { id, connection throws(SQLiteError) in
                    try connection.statement(current).bind(1, id).first(rows.row)?.encoded()
                }, derived: derived, isThere: isThere),
            json: json, ofClub: ofClub, ofBook: ofBook,
            endsWithMember: Stored.ends(with:in:), endsWithClub: Stored.ends(with:in:),
            rules: rules)
    }

    /// What ends, or becomes another, before a membership ends.
    static func ends(with member: Member, in connection: Connection) throws(SQLiteError) -> [any Proposal] {
        var ends: [any Proposal] = []
        for table in all { ends += try table.endsWithMember?(member, connection) ?? [] }
        return ends
    }

    /// What ends, or becomes another, before a club ends.
    static func ends(with club: Club, in connection: Connection) throws(SQLiteError) -> [any Proposal] {
        var ends: [any Proposal] = []
        for table in all { ends += try table.endsWithClub?(club, connection) ?? [] }
        return ends
    }

    /// What takes the rows of the club `?1` away, those that refer to others first.
    static let endsOfClub = all.reversed().compactMap { table in
        table.ofClub.map { SQL("DELETE FROM \(table.name) WHERE \($0)") }
    }

    /// A row when anybody has anything with the book `?1`.
    static let useOfBook = SQL(
        "SELECT 1 WHERE "
            + all.compactMap { table in
                table.ofBook.map {
                    "EXISTS (SELECT 1 FROM \(table.name) WHERE \(table.name).book = ?1 AND \($0.byAnybody))"
                }
            }.joined(separator: " OR "))

    /// A row when the reader `?2` added the book `?1`, and nobody else has anything with it.
    static let onlyUseOfBook = SQL(
        "SELECT 1 FROM books WHERE key = ?1 AND added_by = ?2"
            + all.compactMap { table in
                table.ofBook.map {
                    " AND NOT EXISTS (SELECT 1 FROM \(table.name) WHERE \(table.name).book = ?1 AND \($0.byOthers))"
                }
            }.joined())

    /// Those of resources, by their kind.
    static let ofKind = Dictionary(
        uniqueKeysWithValues: all.compactMap { table in table.resources.map { ($0.kind, $0) } })

    private static let ofClubBook = "club_book IN (SELECT key FROM club_books WHERE club = ?1)"

    /// All tables there are, each after those that it refers to.
    static let all: [StoredTable] = [
        StoredTable(name: "meta", along: .nothing(because: "It is of one file."), rules: Rules.meta),
        .of(
            ReaderTable.self, along: .rows(.own("readers.key = ?1"), secret: ["role"]), toldTo: .itsReader,
            rules: Rules.readers),
        .of(
            TokenTable.self, along: .nothing(because: "They are secrets."), toldTo: .itsReader, derived: ["lastUsedOn"]),
        StoredTable(name: "claims", along: .lines(.claims), rules: Rules.claims),
        .of(
            BookTable.self,
            along: .rows(.own(booksOfAccount), also: [.init(member: "addedBy", column: "added_by", isReader: true)]),
            toldTo: .everyone, json: ["authors"], rules: Rules.books),
        StoredTable(
            name: "books_words", along: .follows,
            rules: Rules.words(of: "books_words", "books", at: BookIndex.place, where: "1")),
        StoredTable(name: "words", along: .follows),
        .of(
            ReadingTable.self, along: .rows(.own("readings.reader = ?1")), toldTo: .itsReader,
            ofBook: BookUse(byAnybody: "1", byOthers: "reader <> ?2"),
            rules: Rules.readings),
        .of(
            EntryTable.self,
            along: .rows(.own("readings.reader = ?1"), by: "readings.key, entries.happened_at, entries.key"),
            toldTo: .itsReader, rules: Rules.entries),
        StoredTable(name: "doomed_readings", along: .nothing(because: "They are gone."), rules: Rules.doomedReadings),
        StoredTable(
            name: "changes", along: .nothing(because: "Each house has its own log."), json: ["value", "before"],
            rules: Rules.changes),
        StoredTable(
            name: "idempotency_keys", along: .nothing(because: "They hold for a day."), json: ["value"],
            rules: Rules.idempotencyKeys),
        .of(ClubTable.self, along: .rows(), toldTo: .itsClub, rules: Rules.clubs),
        .of(
            MemberTable.self, along: .rows(.facts("members.reader = ?1")), toldTo: .itsClub, ofClub: "club = ?1",
            rules: Rules.members),
        .of(
            InvitationTable.self, along: .nothing(because: "Their codes are secrets."), toldTo: .itsModeratorsAndReader,
            ofClub: "club = ?1"),
        .of(
            NoteTable.self, along: .rows(.own("notes.author = ?1"), without: ["reactions"]), toldTo: .itsClubOrReader,
            isThere: "notes.body IS NOT NULL", json: ["reactions"],
            ofClub: "club = ?1",
            ofBook: .ofNote,
            rules: Rules.notes),
        StoredTable(
            name: "notes_words", along: .follows,
            ofClub: "rowid IN (SELECT key FROM notes WHERE club = ?1 AND body IS NOT NULL)",
            rules: Rules.words(of: "notes_words", "notes", at: "notes.key", where: "body IS NOT NULL")),
        StoredTable(name: "reach", along: .follows, ofClub: "place = -?1", rules: Rules.reach),
        StoredTable(
            name: "reactions", along: .lines(.reactions), ofClub: "note IN (SELECT key FROM notes WHERE club = ?1)",
            rules: Rules.reactions),
        .of(
            ClubBookTable.self, along: .rows(), toldTo: .itsClub, ofClub: "club = ?1", ofBook: .ofClub("club_books")),
        .of(MilestoneTable.self, along: .rows(), toldTo: .itsClub, ofClub: ofClubBook),
        .of(
            StandingTable.self,
            along: .rows(
                .facts("members.reader = ?1"), also: [.init(member: "reading", column: "reading", isReader: false)],
                without: ["isCurrent"]),
            toldTo: .itsClub, derived: ["isCurrent"], ofClub: ofClubBook, rules: Rules.standings),
        .of(
            MeetingTable.self, along: .rows(), toldTo: .itsClub, ofClub: "club = ?1", ofBook: .ofClub("meetings")),
        .of(
            AttendanceTable.self, along: .rows(.facts("members.reader = ?1")), toldTo: .itsClub,
            ofClub: "meeting IN (SELECT key FROM meetings WHERE club = ?1)"),
        .of(
            CalendarTable.self, along: .nothing(because: "Their addresses are secrets."), toldTo: .itsReader,
            ofClub: "member IN (SELECT key FROM members WHERE club = ?1)"),
        .of(ListingTable.self, along: .rows(), toldTo: .everyone, rules: Rules.listings),
        .of(
            JoinRequestTable.self, along: .rows(.facts("join_requests.reader = ?1")), toldTo: .itsModeratorsAndReader,
            ofClub: "club = ?1", rules: Rules.joinRequests),
        .of(RemovalTable.self, along: .rows(), toldTo: .itsModerators, ofClub: "club = ?1"),
        .of(
            ShelfTable.self, along: .rows(.own("shelves.reader = ?1"), saidIf: "shelves.version > 0"),
            toldTo: .itsReader),
        .of(
            ShelfBookTable.self, along: .rows(.own("shelves.reader = ?1")), toldTo: .itsReader,
            ofBook: BookUse(byAnybody: "1", byOthers: "shelf IN (SELECT key FROM shelves WHERE reader <> ?2)")),
        .of(
            SettingsTable.self, along: .rows(.own("settings.key = ?1"), saidIf: "settings.version > 0"),
            toldTo: .itsReader, rules: Rules.settings),
        .of(
            SceneTable.self,
            along: .rows(.own("scenes.reader = ?1"), also: [.init(member: "reader", column: "reader", isReader: true)]),
            toldTo: .itsReader, json: ["value"]),
        StoredTable(name: "streams", along: .nothing(because: "They are secrets."), json: ["watch"]),
        StoredTable(name: "accounts", along: .lines(.accounts)),
        StoredTable(name: "identities", along: .lines(.identities)),
        .of(
            LinkTable.self, along: .nothing(because: "They are secrets."), toldTo: .itsReader, ofClub: "club = ?1"),
        StoredTable(
            name: "former_members", along: .lines(.formerMembers), ofClub: "club = ?1", rules: Rules.formerMembers),
        StoredTable(
            name: "clock_marks", along: .nothing(because: "They are of one log."), rules: Rules.clockMarks),
        StoredTable(name: "keepsakes", along: .lines(.keepsakes), json: ["value"]),
        StoredTable(name: "awaited_entries", along: .follows),
    ]
}

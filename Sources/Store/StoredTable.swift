import Model

/// Which rows of a table that name a book are somebody's use of it.
struct BookUse: Sendable {
    /// A condition.
    let byAnybody: String
    /// The same of somebody else than the reader `?2`.
    let byOthers: String

    /// Rows that are the book's own.
    static let unused = BookUse(byAnybody: "0", byOthers: "0")

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
        /// Where a row has its version, as an expression.
        let version: String
        /// All rows as `read` takes them.
        let select: String
        /// What a row shows, and to whom.
        let read: @Sendable (Statement) -> (shown: [UInt8], scope: Scope)
        /// What the resource is that has an id; nil when there is none.
        let find: @Sendable (ResourceID, Connection) throws(SQLiteError) -> [UInt8]?
        /// Members that show something else's row, or change without an event.
        let derived: Set<String>
        /// Members that show another row of their reader's, which goes before them when they leave.
        let derivedOfLeaving: Set<String>
        /// What is true of rows that are there: some stay when what they are of has gone.
        let isThere: String
    }

    let name: String
    let export: ExportPolicy
    /// What becomes of its rows when their reader leaves. Each table says it.
    let ofReader: ReaderEnd
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

    // Not inlined: there are many tables, and one list of them.
    @inline(never)
    init(
        name: String, export: ExportPolicy, ofReader: ReaderEnd, resources: Resources? = nil, json: [String] = [],
        ofClub: String? = nil, ofBook: BookUse? = nil,
        endsWithMember: (@Sendable (Member, Connection) throws(SQLiteError) -> [any Proposal])? = nil,
        endsWithClub: (@Sendable (Club, Connection) throws(SQLiteError) -> [any Proposal])? = nil,
        rules: [String] = []
    ) {
        (self.name, self.export, self.ofReader, self.resources, self.json) = (name, export, ofReader, resources, json)
        (self.ofClub, self.ofBook) = (ofClub, ofBook)
        (self.endsWithMember, self.endsWithClub) = (endsWithMember, endsWithClub)
        self.rules = rules
    }

    @_semantics("optimize.sil.specialize.generic.never")
    static func of<Stored: Table>(
        _ stored: Stored.Type, export: ExportPolicy, toldTo: ToldTo, ofReader: ReaderEnd, isThere: String = "1",
        derived: Set<String> = [], derivedOfLeaving: Set<String> = [],
        json: [String] = [],
        ofClub: String? = nil, ofBook: BookUse? = nil, rules: [String] = []
    ) -> StoredTable {
        let rows = Stored.rows
        let current = SQL("SELECT \(rows.columns) FROM \(rows.joins) WHERE \(rows.name).id = ?1 AND \(isThere)")
        return StoredTable(
            name: rows.name,
            export: export.resolved(for: stored, isThere: isThere), ofReader: ofReader,
            resources: Resources(
                kind: Stored.Row.kind, toldTo: toldTo, columns: rows.ownColumns, version: rows.version,
                select: "SELECT \(rows.columns) FROM \(rows.joins) WHERE \(isThere)",
                read: { statement in
                    let row = rows.row(statement)
                    return (row.encoded(), Stored.scope(of: row))
                },
                find: { id, connection throws(SQLiteError) in
                    try connection.statement(current).bind(1, id).first(rows.row)?.encoded()
                }, derived: derived, derivedOfLeaving: derivedOfLeaving, isThere: isThere),
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
}

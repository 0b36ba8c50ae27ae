import Model

/// The rows of a table that count as use of a book.
struct BookUseCondition: Sendable {
    /// A condition for use by any reader.
    let byAnybody: String
    /// A condition for use by a reader other than `?2`.
    let byOthers: String

    /// The condition for a table whose rows never count as use of a book, because they belong to the book itself.
    static let unused = BookUseCondition(byAnybody: "0", byOthers: "0")

    /// Returns the use by a club, which is use by its members.
    static func ofClub(_ table: String) -> BookUseCondition {
        BookUseCondition(byAnybody: "1", byOthers: others(in: table))
    }

    /// The use by private notes and notes of clubs. Deleted notes of clubs count too, because members who received them
    /// must receive their deletion.
    static let ofNote = BookUseCondition(
        byAnybody: "(body IS NOT NULL OR club IS NOT NULL)",
        byOthers: "body IS NOT NULL AND (author <> ?2 OR \(others(in: "notes")))")

    private static func others(in table: String) -> String {
        "EXISTS (SELECT 1 FROM members WHERE members.club = \(table).club AND members.reader <> ?2)"
    }
}

/// A table of the database with all that varies between tables. Everything that applies to each table uses this one
/// list: the check, earlier values of resources, and the end of a club. A test compares the list with the schema.
struct StoredTable: Sendable {
    /// The queries that read a table's rows as resources, for comparison with the log.
    struct ResourceRows: Sendable {
        let kind: ResourceKind
        let changeAudience: ExpectedAudience
        /// The columns of the table itself.
        let columns: Set<String>
        /// The expression for a row's version.
        let version: String
        /// The query for all rows, as `read` takes them.
        let select: String
        /// Returns the representation of a row and its scope.
        let read: @Sendable (SQLiteStatement) throws(SQLiteError) -> (shown: [UInt8], scope: ChangeScope)
        /// Returns the representation of the resource with an id, or `nil`.
        let find: @Sendable (ResourceID, SQLiteConnection) throws(SQLiteError) -> [UInt8]?
        /// The JSON members that are derived from another resource's row, or change without an event.
        let derived: Set<String>
        /// The JSON members that are derived from another row of the same reader, which is deleted first when the
        /// reader leaves.
        let derivedOfLeaving: Set<String>
        /// The condition for rows that still exist as resources. Some rows are kept after their resource is deleted.
        let isThere: String
    }

    let name: String
    let export: ExportPolicy
    /// The handling of its rows when their reader leaves.
    let ofReader: ReaderDeletionPolicy
    var resources: ResourceRows?
    /// The columns that contain JSON.
    var json: [String] = []
    /// The condition for rows that end with the club `?1`, or `nil`.
    var ofClub: String?
    /// The rows that count as use of a book, or `nil`.
    var ofBook: BookUseCondition?
    /// The rows that change at the end of other resources.
    var endings: [ResourceEnding] = []
    /// Queries that return a text for each invalid row; see `IntegrityRules`.
    var rules: [String] = []

    @_semantics("optimize.sil.specialize.generic.never")
    static func of<Stored: ResourceTable>(
        _ stored: Stored.Type, export: ExportPolicy, changeAudience: ExpectedAudience, ofReader: ReaderDeletionPolicy,
        derived: Set<String> = [], derivedOfLeaving: Set<String> = [],
        json: [String] = [],
        ofClub: String? = nil, ofBook: BookUseCondition? = nil, rules: [String] = []
    ) -> StoredTable {
        let rows = Stored.rows
        return StoredTable(
            name: rows.name,
            export: export.resolved(for: stored, isThere: rows.isThere), ofReader: ofReader,
            resources: ResourceRows(
                kind: Stored.Row.kind, changeAudience: changeAudience, columns: rows.ownColumns, version: rows.version,
                select: "SELECT \(rows.columns) FROM \(rows.joins) WHERE \(rows.isThere)",
                read: { statement throws(SQLiteError) in
                    let row = try rows.row(statement)
                    return (row.encoded(), Stored.scope(of: row))
                },
                find: { id, connection throws(SQLiteError) in try Stored.find(id, in: connection)?.encoded() },
                derived: derived, derivedOfLeaving: derivedOfLeaving, isThere: rows.isThere),
            json: json, ofClub: ofClub, ofBook: ofBook,
            endings: Stored.endings,
            rules: rules)
    }

    /// The statements that delete the rows of the club `?1`. Rows that refer to others are deleted first.
    static let endsOfClub = all.reversed().compactMap { table in
        table.ofClub.map { SQLText("DELETE FROM \(table.name) WHERE \($0)") }
    }

    /// Returns the conditions that a table has a row for the book `?1` which satisfies a condition of the table.
    private static func uses(_ condition: KeyPath<BookUseCondition, String>) -> [String] {
        all.compactMap { table in
            table.ofBook.map {
                "EXISTS (SELECT 1 FROM \(table.name) WHERE \(table.name).book = ?1 AND \($0[keyPath: condition]))"
            }
        }
    }

    /// A query that returns a row if anybody uses the book `?1`.
    static let useOfBook = SQLText("SELECT 1 WHERE " + uses(\.byAnybody).joined(separator: " OR "))

    /// A query that returns a row if the reader `?2` added the book `?1` and no other reader uses it.
    static let onlyUseOfBook = SQLText(
        "SELECT 1 FROM books WHERE key = ?1 AND added_by = ?2" + uses(\.byOthers).map { " AND NOT \($0)" }.joined())

    /// The descriptions of the tables that contain resources, by the kind of resource.
    static let ofKind = Dictionary(
        uniqueKeysWithValues: all.compactMap { table in table.resources.map { ($0.kind, $0) } })
}

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

/// The rows of a table that end with a club, and those that count as use of a book.
struct ClubOrBookRows: Sendable {
    /// The condition for the rows that end with the club `?1`, or `nil`.
    fileprivate(set) var club: String?
    /// The rows that count as use of a book, or `nil`.
    fileprivate(set) var book: BookUseCondition?

    /// Neither: the rows outlive clubs, or end with another row, and contain no key of a book.
    static let none = ClubOrBookRows()

    /// Returns the rows of a club. A test names a table that refers to books, too, and has no `book`.
    static func club(_ condition: String, book: BookUseCondition? = nil) -> ClubOrBookRows {
        ClubOrBookRows(club: condition, book: book)
    }

    static func book(_ use: BookUseCondition) -> ClubOrBookRows { ClubOrBookRows(book: use) }
}

/// A table of the database with all that varies between tables. Everything that applies to each table uses this one
/// list: the check, exports, earlier values of resources, and the ends of clubs and readers. A test compares the list
/// with the schema.
///
/// There are no defaults for what a new table could forget without a failure: the audience of its changes, its export,
/// and the rows that end with a reader or a club, or use a book. Columns with JSON need no list, because the check
/// reads each row as its resource.
struct StoredTable: Sendable {
    let name: String
    /// A Boolean value indicating whether the rows belong to one file, or follow from other rows by a rule. A replay of
    /// the row log does not have them.
    let isLocal: Bool
    /// The resources that the rows are, or `nil`.
    let resource: (any ResourceTable.Type)?
    /// The audience of the resources' changes, or `nil` for rows that are not resources.
    let audience: ExpectedAudience?
    let export: ExportPolicy
    /// The handling of its rows when their reader leaves.
    let ofReader: ReaderDeletionPolicy
    let ofClubOrBook: ClubOrBookRows
    /// Queries that return a text for each invalid row; see `IntegrityRules`.
    let rules: [String]
    /// The JSON members that are derived from another resource's row, or change without an event. Optional, because
    /// without them the check reports too much and never too little. Every test of the API ends with a check.
    let derived: Set<String>
    /// The JSON members that are derived from another row of the same reader, which is deleted first when the reader
    /// leaves. Optional for the same reason.
    let derivedOfLeaving: Set<String>

    /// Creates the description of a resource's table, of which an export contains nothing or records of their own.
    init<Stored: ResourceTable>(
        _ resource: Stored.Type, audience: ExpectedAudience, export: ExportPolicy, ofReader: ReaderDeletionPolicy,
        ofClubOrBook: ClubOrBookRows, rules: [String], derived: Set<String> = [], derivedOfLeaving: Set<String> = []
    ) {
        (name, isLocal, self.resource, self.audience) = (Stored.rows.name, false, resource, audience)
        (self.export, self.ofReader, self.ofClubOrBook, self.rules) = (export, ofReader, ofClubOrBook, rules)
        (self.derived, self.derivedOfLeaving) = (derived, derivedOfLeaving)
    }

    /// Creates the description of a resource's table, of which an export contains rows.
    init<Stored: ExportedTable>(
        _ resource: Stored.Type, audience: ExpectedAudience, exported: ExportedRows, ofReader: ReaderDeletionPolicy,
        ofClubOrBook: ClubOrBookRows, rules: [String], derived: Set<String> = [], derivedOfLeaving: Set<String> = []
    ) {
        self.init(
            resource, audience: audience, export: .records(ExportRecordCodec(resource, exported)), ofReader: ofReader,
            ofClubOrBook: ofClubOrBook, rules: rules, derived: derived, derivedOfLeaving: derivedOfLeaving)
    }

    /// Creates the description of a table whose rows are not resources, and have no events.
    init(
        _ name: String, isLocal: Bool, export: ExportPolicy, ofReader: ReaderDeletionPolicy,
        ofClubOrBook: ClubOrBookRows,
        rules: [String]
    ) {
        (self.name, self.isLocal) = (name, isLocal)
        (resource, audience, derived, derivedOfLeaving) = (nil, nil, [], [])
        (self.export, self.ofReader, self.ofClubOrBook, self.rules) = (export, ofReader, ofClubOrBook, rules)
    }

    /// The statements that delete the rows of the club `?1`. Rows that refer to others are deleted first.
    static let endsOfClub = all.reversed().compactMap { table in
        table.ofClubOrBook.club.map { SQLText("DELETE FROM \(table.name) WHERE \($0)") }
    }

    /// Returns the conditions that a table has a row for the book `?1` which satisfies a condition of the table.
    private static func uses(_ condition: KeyPath<BookUseCondition, String>) -> [String] {
        all.compactMap { table in
            table.ofClubOrBook.book.map {
                "EXISTS (SELECT 1 FROM \(table.name) WHERE \(table.name).book = ?1 AND \($0[keyPath: condition]))"
            }
        }
    }

    /// A query that returns a row if anybody uses the book `?1`.
    static let useOfBook = SQLText("SELECT 1 WHERE " + uses(\.byAnybody).joined(separator: " OR "))

    /// A query that returns a row if the reader `?2` added the book `?1` and no other reader uses it.
    static let onlyUseOfBook = SQLText(
        "SELECT 1 FROM books WHERE key = ?1 AND added_by = ?2" + uses(\.byOthers).map { " AND NOT \($0)" }.joined())

    /// The tables that contain resources, by the kind of resource.
    static let ofKind = Dictionary(
        uniqueKeysWithValues: all.compactMap { table in table.resource.map { ($0.kind, table) } })
}

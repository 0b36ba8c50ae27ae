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
    let name: String
    /// The resources that the rows are, or `nil`.
    var resource: (any ResourceTable.Type)?
    let export: ExportPolicy
    /// The audience of the resources' changes.
    var changeAudience: ExpectedAudience?
    /// The handling of its rows when their reader leaves.
    let ofReader: ReaderDeletionPolicy
    /// The JSON members that are derived from another resource's row, or change without an event.
    var derived: Set<String> = []
    /// The JSON members that are derived from another row of the same reader, which is deleted first when the reader
    /// leaves.
    var derivedOfLeaving: Set<String> = []
    /// The columns that contain JSON.
    var json: [String] = []
    /// The condition for the rows that end with the club `?1`, or `nil`.
    var ofClub: String?
    /// The rows that count as use of a book, or `nil`.
    var ofBook: BookUseCondition?
    /// Queries that return a text for each invalid row; see `IntegrityRules`.
    var rules: [String] = []

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

    /// The tables that contain resources, by the kind of resource.
    static let ofKind = Dictionary(
        uniqueKeysWithValues: all.compactMap { table in table.resource.map { ($0.kind, table) } })
}

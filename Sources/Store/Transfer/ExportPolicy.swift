import JSON
import Model

/// The part of a table that an export contains.
enum ExportPolicy: Sendable {
    /// No rows, for the given reason.
    case nothing(because: StaticString)
    /// The rows of a resource, by its fields.
    case resources(ExportedRows)
    /// Records with a codec of their own.
    case records(ExportRecordCodec)

    /// No rows, because they are derived from other tables.
    static let follows = ExportPolicy.nothing(because: "It is derived from other rows.")

    /// Returns the policy for the rows of a resource; see `ExportedRows`.
    @inline(never)
    static func rows(
        _ account: ExportedRows.AccountRows = .none, by order: String? = nil, columns: [ExportColumn] = [],
        without: [String] = [], wholeOnly: [String] = [], exportedIf condition: String? = nil,
        inAccountsIf accountCondition: String? = nil, privateIf privacy: String? = nil,
        isReplaceable: Bool = true, hasDerivedID: Bool = false
    ) -> ExportPolicy {
        .resources(
            ExportedRows(
                account: account, order: order, columns: columns, without: without, wholeOnly: wholeOnly,
                condition: condition, accountCondition: accountCondition, privacy: privacy,
                isReplaceable: isReplaceable, hasDerivedID: hasDerivedID))
    }
}

/// The rows of a resource's table that an export contains, and their JSON members besides the resource's fields.
struct ExportedRows: Sendable {
    /// The rows that the export of one reader's account contains.
    enum AccountRows: Sendable {
        /// None: they belong to the server or to a club.
        case none
        /// The rows of the reader `?1`, by a condition. An import assigns them to the importing reader.
        case own(String)
        /// The shared rows that the account of the reader `?1` refers to, by the column with their book's key. An
        /// account's import adds missing ones and changes none.
        case catalogue(book: String)

        /// The condition for the rows. A guardian does not receive the rows for which `privacy` holds, nor the books to
        /// which only private notes and knowledge refer.
        func condition(isManaged: Bool, privateIf privacy: String?) -> String? {
            switch self {
            case .none: nil
            case .own(let condition):
                isManaged ? privacy.map { "\(condition) AND NOT (\($0))" } ?? condition : condition
            case .catalogue(let book):
                "\(book) IN (\(isManaged ? StoredTable.booksOfManaged : StoredTable.booksOfAccount))"
            }
        }
    }

    let account: AccountRows
    /// The order in which an import can create the rows again, or `nil` for the order of the keys.
    let order: String?
    let columns: [ExportColumn]
    /// The fields that an export leaves out, because they are derived from other rows.
    let without: [String]
    /// The fields and columns that only an export of the whole server contains.
    let wholeOnly: [String]
    /// The SQL condition for the rows to export, or `nil`. It leaves out rows that were created automatically and still
    /// have their initial values.
    let condition: String?
    /// A further condition for the rows in the export of an account, which has fewer members. Without it, the import of
    /// a line with nothing but initial values would change nothing.
    let accountCondition: String?
    /// The condition for rows that a guardian does not receive.
    let privacy: String?
    /// A Boolean value indicating whether an import with `replace` can change a row that exists.
    let isReplaceable: Bool
    /// A Boolean value indicating whether the id follows from other fields, such as the reader and the book.
    let hasDerivedID: Bool
}

/// The records of one kind in exports: the queries that find them, and their conversion to lines and back.
struct ExportRecordCodec: Sendable {
    /// The `kind` of the lines.
    let kind: String
    /// The query for all rows, or `nil` for records that are only imported.
    var whole: SQLText?
    /// The query for the rows of the reader `?1`, or `nil` if accounts have none.
    var account: SQLText?
    /// The query for the rows that a guardian of the reader `?1` receives.
    var managed: SQLText?
    /// Writes the members of a row.
    var write: @Sendable (SQLiteStatement, ExportScope, inout JSONWriter) throws(SQLiteError) -> Void = { _, _, _ in }
    /// Decides the changes that create a line's row.
    var read: @Sendable (ImportLine, borrowing WriteState) throws(RequestError) -> CommandDecision

    /// The codecs of records that no table's export contains under their own kind.
    static let onlyImported = [departed, developmentSuspensions, developmentAnchors]

    /// Returns the query for the rows in a scope.
    func query(_ scope: ExportScope) -> SQLText? {
        if case .account(_, _, let isManaged) = scope { isManaged ? managed : account } else { whole }
    }
}

extension StoredTable {
    /// The codecs of the tables' records, in the order of the tables.
    static let exported: [ExportRecordCodec] = all.compactMap { table in
        switch table.export {
        case .nothing: nil
        case .resources(let rows): table.resource.map { ExportRecordCodec($0, rows) }
        case .records(let codec): codec
        }
    }

    /// The codecs of all kinds of lines.
    static let codecs = Dictionary(
        uniqueKeysWithValues: (exported + ExportRecordCodec.onlyImported).map { ($0.kind, $0) })

    /// The query for the books that the account of the reader `?1` refers to.
    static let booksOfAccount = """
        SELECT book FROM knowledge WHERE reader = ?1
        UNION SELECT book FROM notes WHERE author = ?1 AND body IS NOT NULL AND is_nameless = 0 UNION \(booksOfReadings)
        """

    /// The query for the books in a guardian's export of the reader `?1`.
    fileprivate static let booksOfManaged = """
        SELECT book FROM notes WHERE author = ?1 AND body IS NOT NULL AND is_nameless = 0
            AND NOT (\(NoteTable.isPrivate)) UNION \(booksOfReadings)
        """

    private static let booksOfReadings = """
        SELECT book FROM readings WHERE reader = ?1
        UNION SELECT book FROM shelf_books JOIN shelves ON shelves.key = shelf_books.shelf WHERE shelves.reader = ?1
        """
}

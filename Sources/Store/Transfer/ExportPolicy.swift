import JSON
import Model

/// The part of a table that an export contains.
enum ExportPolicy: Sendable {
    /// No rows, for the given reason.
    case nothing(because: StaticString)
    /// Records, by their codec.
    case records(ExportRecordCodec)

    /// No rows, because they are derived from other tables.
    static let follows = ExportPolicy.nothing(because: "It is derived from other rows.")
}

/// The rows of a resource's table that an export contains, and their JSON members besides the resource's fields.
///
/// All but the rows of accounts are optional. Without them an export contains every row and field, and an import that
/// would need them is refused, or its export differs from the first one, which tests compare.
struct ExportedRows: Sendable {
    /// The rows that the export of one reader's account contains.
    enum AccountRows: Sendable {
        /// None: they belong to the server or to a club.
        case none
        /// The rows of the reader `?1`, by a condition. An import assigns them to the importing reader. A guardian does
        /// not receive those for which `privateIf` holds.
        case own(String, privateIf: String)
        /// The shared rows that the account of the reader `?1` refers to, by the column with their book's key. An
        /// account's import adds missing ones and changes none.
        case catalogue(book: String)

        /// The condition for the rows. For a guardian it leaves out private rows, and the books to which only private
        /// notes and knowledge refer.
        func condition(isManaged: Bool) -> String? {
            switch self {
            case .none: nil
            case .own(let condition, let privacy): isManaged ? "\(condition) AND NOT (\(privacy))" : condition
            case .catalogue(let book):
                "\(book) IN (\(isManaged ? StoredTable.booksOfManaged : StoredTable.booksOfAccount))"
            }
        }
    }

    let inAccounts: AccountRows
    /// The order in which an import can create the rows again, or `nil` for the order of the keys.
    var order: String?
    var columns: [ExportColumn] = []
    /// The fields that an export leaves out, because they are derived from other rows.
    var without: [String] = []
    /// The fields and columns that only an export of the whole server contains.
    var wholeOnly: [String] = []
    /// The SQL condition for the rows to export, or `nil`. It leaves out rows that were created automatically and still
    /// have their initial values.
    var condition: String?
    /// A further condition for the rows in the export of an account, which has fewer members. Without it, the import of
    /// a line with nothing but initial values would change nothing.
    var accountCondition: String?
    /// A Boolean value indicating whether an import with `replace` can change a row that exists.
    var isReplaceable = true
    /// A Boolean value indicating whether the id follows from other fields, such as the reader and the book.
    var hasDerivedID = false
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
    static let exported: [ExportRecordCodec] = all.compactMap {
        if case .records(let codec) = $0.export { codec } else { nil }
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

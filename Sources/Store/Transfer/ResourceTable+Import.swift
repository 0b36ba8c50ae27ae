import Model

// The default export and import of a table's rows.

extension ResourceTable {
    static func exported(_ row: Row, in scope: ExportScope) -> Row { row }

    static func derivedID(of row: Row, _ line: ImportLine) throws(RequestError) -> ResourceID? { nil }

    static func isSeenByOthers(_ row: Row) -> Bool { false }

    static func complete(_ imported: inout RowImport<Row>, _ state: borrowing WriteState) throws(RequestError) {}
}

/// A row that is imported, and the changes that it needs besides its own write.
struct RowImport<Row> {
    var row: Row
    /// The existing row that it replaces, or `nil`.
    let old: Row?
    let line: ImportLine
    var before: [any CommandChange] = []
    var after: [any CommandChange] = []
    /// A Boolean value indicating whether the row is new, and of an account, so that the limits apply.
    var isNewOfAccount: Bool { old == nil && line.context.isOfAccount }
}

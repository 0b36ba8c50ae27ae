import Model

/// A table whose rows are in exports, and are created by imports.
protocol ExportedTable: ResourceTable {
    /// Returns the row as an export has it, without the parts that another row's line has. The default has all of it.
    static func exported(_ row: Row, in scope: ExportScope) -> Row
    /// Returns the id that follows from an imported row, whose reader may be another one here; `nil` for the id of its
    /// line, which is the default.
    static func derivedID(of row: Row, _ line: ImportLine) throws(RequestError) -> ResourceID?
    /// Returns whether others than its owner can see a row that an account has. By default they can unless its changes
    /// are for one reader.
    static func isSeenByOthers(_ row: Row) -> Bool
    /// Completes an imported row, in which the keys of the rows that it refers to are already set. Adds the further
    /// changes that its import needs. There is no default, because an import obeys rules and limits only here.
    static func complete(_ imported: inout RowImport<Row>, _ state: borrowing WriteState) throws(RequestError)
}

extension ExportedTable {
    static func exported(_ row: Row, in scope: ExportScope) -> Row { row }

    static func derivedID(of row: Row, _ line: ImportLine) throws(RequestError) -> ResourceID? { nil }

    static func isSeenByOthers(_ row: Row) -> Bool { scope(of: row).number <= 0 }
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

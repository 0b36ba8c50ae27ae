import Model

// The default export and import of a table's rows.

extension ResourceTable {
    static func exported(_ row: Row, in scope: ExportScope) -> Row { row }

    static func derivedID(of row: Row, _ line: ImportLine) throws(RequestError) -> ResourceID? { nil }

    static func isSeenByOthers(_ row: Row) -> Bool { false }

    static func complete(
        _ row: inout Row, over old: Row?, _ line: ImportLine, _ state: borrowing WriteState,
        _ others: inout ImportedChanges
    ) throws(RequestError) {}
}

/// The changes that the import of a row needs besides the write of the row itself.
struct ImportedChanges {
    var before: [any CommandChange] = []
    var after: [any CommandChange] = []
}

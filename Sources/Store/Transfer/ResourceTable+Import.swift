import Model

// The default export and import of a table's rows.

extension ResourceTable {
    static func exported(_ row: Row, in scope: ExportScope) -> Row { row }

    static func derivedID(of row: Row, _ line: ImportLine) throws(RequestError) -> ResourceID? { nil }

    static func isSeenByOthers(_ row: Row) -> Bool { false }

    static func imported(
        _ row: inout Row, over old: Row?, _ line: ImportLine, _ state: borrowing WriteState
    ) throws(RequestError) -> CommandDecision {
        CommandDecision([RowWrite<Self>(before: old, after: row, keepsTimes: true)])
    }
}

import Model

/// The change to log an event of a resource without writing a row: what one reader receives when their view of the
/// resource changes.
struct LoggedEvent<Row: Resource>: CommandChange {
    let row: Row
    let operation: ChangeOperation
    let scope: ChangeScope
    /// The members that an update replaced, as the log stores them, and the fields that it changed.
    var before: [UInt8]?
    var changed: FieldSet = []

    func apply(to transaction: inout WriteTransaction) throws(SQLiteError) -> CommandOutcome? {
        var row = row
        // A resource that is stored in no table has the version of its event.
        if row.version == 0 { row.version = transaction.nextSeq }
        let value = row.encoded()
        return try transaction.record(
            row, operation, scope: scope, value: operation == .deleted ? nil : value,
            before: operation == .deleted ? value : before, changed: changed)
    }
}

import Model

/// The copy of a join request's change for the reader who made it. It follows the change itself.
struct JoinRequestEvent: CommandChange {
    let reader: Int64

    func apply(to transaction: inout WriteTransaction) throws(SQLiteError) -> CommandOutcome? {
        guard let change = transaction.changes.last, change.kind == .joinRequest else { return nil }
        try transaction.record(
            Change(
                seq: change.seq + 1, transaction: change.transaction, at: change.at, kind: change.kind, id: change.id,
                scope: .reader(key: reader), operation: change.operation, changed: change.changed, value: change.value,
                before: change.before, key: change.key))
        return nil
    }
}

import Model

/// The insertion, update or deletion of one row, and its entry in the log. Without `before` the row is created; without `after` it is deleted.
struct RowWrite<Stored: ResourceTable>: CommandChange {
    let before: Stored.Row?
    let after: Stored.Row?
    /// A Boolean value indicating whether the row keeps its own time of change, as imported rows do.
    var keepsTimes = false

    // Changes are called through an existential, and unspecialized generic code looks up its types at each step. The
    // two kinds that are written most have specialized code.
    @_specialize(where Stored == EntryTable)
    @_specialize(where Stored == ReadingTable)
    func apply(to transaction: inout WriteTransaction) throws(SQLiteError) -> CommandOutcome? {
        switch (before, after) {
        case (nil, nil): return nil
        case (nil, let new?): return try make(new, in: &transaction)
        case (let old?, nil): return try end(old, in: &transaction)
        case (let old?, let new?): return try change(old, to: new, in: &transaction)
        }
    }

    private func make(_ new: Stored.Row, in transaction: inout WriteTransaction) throws(SQLiteError) -> CommandOutcome {
        var row = new
        Stored.stamp(&row, over: nil, transaction.nextSeq)
        row.key = try Stored.insert(row, in: transaction.connection)
        return try transaction.record(
            row, .created, scope: Stored.scope(of: row), copy: Stored.scopeOfCopy(of: row), value: row.encoded(),
            before: nil)
    }

    private func end(_ old: Stored.Row, in transaction: inout WriteTransaction) throws(SQLiteError) -> CommandOutcome {
        try Stored.delete(old, in: transaction.connection)
        return try transaction.record(
            old, .deleted, scope: Stored.scope(of: old), copy: Stored.scopeOfCopy(of: old), value: nil,
            before: old.encoded())
    }

    private func change(
        _ old: Stored.Row, to new: Stored.Row, in transaction: inout WriteTransaction
    ) throws(SQLiteError) -> CommandOutcome {
        var row = new
        Stored.stamp(&row, over: old, transaction.nextSeq)
        if let given = row.updatedAt { row.updatedAt = keepsTimes ? min(given, transaction.now) : transaction.now }
        guard let difference = row.difference(from: old) else {
            return CommandOutcome(
                (Stored.Row.kind, old.id), version: old.version, value: old.encoded(), effect: nil,
                ownValidator: old.validator)
        }
        try Stored.update(row, changed: difference.changed, in: transaction.connection)
        return try transaction.record(
            row, .updated, scope: Stored.scope(of: row), copy: Stored.scopeOfCopy(of: row), value: difference.value,
            before: difference.before, changed: difference.changed)
    }
}

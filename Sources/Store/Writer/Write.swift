import Model

/// The proposal to write one row. Without `before` the row is created; without `after` it is deleted.
struct Write<Stored: Table>: Proposal {
    let before: Stored.Row?
    let after: Stored.Row?
    /// A Boolean value indicating whether the row keeps its own time of change, as imported rows do.
    let keepsTimes: Bool

    init(before: Stored.Row?, after: Stored.Row?, keepsTimes: Bool = false) {
        self.before = before
        self.after = after
        self.keepsTimes = keepsTimes
    }

    // Proposals are called through an existential, and unspecialized generic code looks up its types at each step. The
    // two kinds that are written most have specialized code.
    @_specialize(where Stored == EntryTable)
    @_specialize(where Stored == ReadingTable)
    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        let outcome: Outcome?
        switch (before, after) {
        case (nil, nil): outcome = nil
        case (nil, let new?): outcome = try make(new, in: &application, moment)
        case (let old?, nil): outcome = try end(old, in: &application, moment)
        case (let old?, let new?): outcome = try change(old, to: new, in: &application, moment)
        }
        Stored.applied(self, outcome, moment, application.recentReadings)
        return outcome
    }

    private func make(
        _ new: Stored.Row, in application: inout Application, _ moment: Moment
    ) throws(SQLiteError) -> Outcome {
        var row = new
        Stored.stamp(&row, over: nil, application.log.nextSeq)
        row.key = try Stored.insert(row, in: application.connection)
        return try application.note(
            row, .created, moment, scope: Stored.scope(of: row), value: row.encoded(), before: nil)
    }

    private func end(
        _ old: Stored.Row, in application: inout Application, _ moment: Moment
    ) throws(SQLiteError) -> Outcome {
        try Stored.delete(old, in: application.connection)
        return try application.note(
            old, .deleted, moment, scope: Stored.scope(of: old), value: nil, before: old.encoded())
    }

    private func change(
        _ old: Stored.Row, to new: Stored.Row, in application: inout Application, _ moment: Moment
    ) throws(SQLiteError) -> Outcome {
        var row = new
        Stored.stamp(&row, over: old, application.log.nextSeq)
        if let said = row.updatedAt { row.updatedAt = keepsTimes ? min(said, moment.at) : moment.at }
        guard let difference = row.difference(from: old) else {
            return Outcome(
                kind: Stored.Row.kind, id: old.id, version: old.version, value: old.encoded(), effect: .unchanged)
        }
        try Stored.update(row, changed: difference.changed, in: application.connection)
        return try application.note(
            row, .updated, moment, scope: Stored.scope(of: row), value: difference.value, before: difference.before,
            changed: difference.changed)
    }
}

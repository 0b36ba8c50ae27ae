import Model

/// What is to be true of one resource that has rows. Nothing before: it is made. Nothing after: it is taken away.
struct Write<Rows: Table>: Proposal {
    let before: Rows.Row?
    let after: Rows.Row?

    init(before: Rows.Row?, after: Rows.Row?) {
        self.before = before
        self.after = after
    }

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        let outcome: Outcome?
        switch (before, after) {
        case (nil, nil): outcome = nil
        case (nil, let new?): outcome = try make(new, in: &application, moment)
        case (let old?, nil): outcome = try end(old, in: &application, moment)
        case (let old?, let new?): outcome = try change(old, to: new, in: &application, moment)
        }
        Rows.applied(self, outcome, moment, application.recentReadings)
        return outcome
    }

    private func make(
        _ new: Rows.Row, in application: inout Application, _ moment: Moment
    ) throws(SQLiteError) -> Outcome {
        var row = new
        Rows.stamp(&row, over: nil, application.log.nextSeq)
        let key = try Rows.insert(row, in: application.connection)
        let scope = try Rows.scope(of: row, key: key, in: application.connection)
        return try application.note(row, .created, moment, scope: scope, value: row.encoded(), before: nil)
    }

    private func end(
        _ old: Rows.Row, in application: inout Application, _ moment: Moment
    ) throws(SQLiteError) -> Outcome {
        let scope = try Rows.scope(of: old, key: old.key, in: application.connection)
        try Rows.delete(old, in: application.connection)
        return try application.note(old, .deleted, moment, scope: scope, value: nil, before: old.encoded())
    }

    private func change(
        _ old: Rows.Row, to new: Rows.Row, in application: inout Application, _ moment: Moment
    ) throws(SQLiteError) -> Outcome {
        var row = new
        Rows.stamp(&row, over: old, application.log.nextSeq)
        if row.updatedAt != nil { row.updatedAt = moment.at }
        guard let difference = row.difference(from: old) else {
            return Outcome(
                kind: Rows.Row.kind, id: old.id, version: old.version, value: old.encoded(), effect: .unchanged)
        }
        try Rows.update(row, changed: difference.changed, in: application.connection)
        let scope = try Rows.scope(of: row, key: row.key, in: application.connection)
        return try application.note(
            row, .updated, moment, scope: scope, value: difference.value, before: difference.before,
            changed: difference.changed)
    }
}

import JSON
package import Model

/// What came into a reader's sight, or went out of it.
extension ReadConnection {
    /// The changes that a row of the log stands for which names notes that came into sight, or went out of it: each with what
    /// the note was at that time. They share its seq.
    package func unlocked(_ row: Change) throws(LecternError) -> [Change] {
        try unlocked(row, from: 0, limit: .max).changes
    }

    /// At most `limit` of them, from the note on which the row names at that place, and the place of the next one if there are
    /// more. The places stay what they are when notes are deleted.
    func unlocked(
        _ row: Change, from first: Int, limit: Int
    ) throws(LecternError) -> (changes: [Change], next: Int?) {
        let keys: JSONValue
        do {
            keys = try JSONDocument(row.value ?? []).root
        } catch {
            throw .internalError("change \(row.seq) of the log names no notes")
        }
        var changes: [Change] = []
        // Where they go, a member says why, and names them.
        let named = keys.members.map(\.value).first ?? keys
        for (place, key) in named.elements.compactMap(\.integer).enumerated().dropFirst(first) {
            guard changes.count < limit else { return (changes, place) }
            if let change = try sight(of: key, by: row) { changes.append(change) }
        }
        return (changes, nil)
    }

    private static let passed = SQL("SELECT 1 FROM notes WHERE key = ?2 AND \(NoteGate.passes(asOf: "?3"))")

    private func passed(_ note: Int64, to reader: Int64, asOf seq: Int64) throws(LecternError) -> Bool {
        try query { db throws(SQLiteError) in
            try db.statement(Self.passed).bind(1, reader).bind(2, note).bind(3, seq).first { _ in true } != nil
        }
    }

    /// What a note that a row names became to its reader: one that came into sight, with what it was, unless it has been raised
    /// since; or one that went out of it, which lists need to know by what it was. Nil for what is no more.
    private func sight(of key: Int64, by row: Change) throws(LecternError) -> Change? {
        guard let note = try query({ db throws(SQLiteError) in try NoteTable.find(key: key, in: db) }),
            let operation = try operation(on: note, by: row)
        else { return nil }
        let isGone = operation.isGoing
        let isAsItWas = note.version < row.seq && note.text != nil
        if !isGone, !isAsItWas, try !passed(key, to: row.scope.reader, asOf: row.seq) { return nil }
        let scope = Scope(number: row.scope.number)
        var was = isAsItWas ? note.encoded() : try value(of: .note, note.id, scope: scope, asOf: row.seq)
        // One that was deleted before goes from whoever was not told so.
        if was == nil, isGone { was = try lastValue(of: .note, note.id, after: 0) }
        guard let value = try was.map({ was throws(LecternError) in try LogRow.told(was, of: note) }) else {
            return nil
        }
        var change = Change(
            seq: row.seq, transaction: row.transaction, at: row.at, kind: row.kind, id: note.id, scope: row.scope,
            operation: operation, changed: [], value: isGone ? nil : value, before: isGone ? value : nil, key: note.key)
        if !isGone { change.shown = try LogRow.shown(value, of: note) }
        return change
    }

    private static let ofBlock = SQL(
        """
        SELECT 1 FROM notes JOIN hidings ON hidings.author = notes.author AND hidings.club = notes.club
        WHERE notes.key = ?1 AND hidings.reader = ?2
            AND (hidings.since BETWEEN ?3 AND ?4 OR hidings.until BETWEEN ?3 AND ?4)
        """)

    /// What a row that names a note did to its reader's sight of it; nil for nothing that is told by now. That it went, or came, with
    /// a block would tell whose it is that names nobody since, which brought it into sight: if it is no more, then it is as if
    /// it had been raised.
    private func operation(on note: Note, by row: Change) throws(LecternError) -> ChangeOperation? {
        guard note.isNameless, row.operation != .raised else { return row.operation }
        let reader = row.scope.reader
        let isOfBlock = try query { db throws(SQLiteError) in
            try db.statement(Self.ofBlock).bind(1, note.key).bind(2, reader).bind(3, row.transaction).bind(4, row.seq)
                .first { _ in true }
        }
        guard isOfBlock != nil else { return row.operation }
        // Who comes to moderate a club is shown what was not for them before, and then no block holds either.
        guard row.operation.isGoing else {
            return try passed(note.key, to: reader, asOf: row.transaction - 1) ? nil : row.operation
        }
        return try query { db throws(SQLiteError) in try NoteTable.find(note.id, seenBy: reader, in: db) } == nil
            ? .raised : nil
    }
}

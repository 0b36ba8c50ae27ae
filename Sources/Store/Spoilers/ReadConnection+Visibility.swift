import JSON
package import Model

/// The notes that became visible or invisible to a reader.
extension ReadConnection {
    /// Returns a change for each note that a row of the log names because it became visible or invisible. Each contains
    /// the note as it was then, and they share the row's seq.
    ///
    /// Returns at most `limit` of them, beginning with the note at index `first`, and the index of the next one if there
    /// are more. Deleting notes does not change the indices.
    package func visibilityChanges(
        in row: Change, from first: Int = 0, limit: Int = .max
    ) throws(RequestError) -> (changes: [Change], next: Int?) {
        let keys: JSONValue
        do {
            keys = try JSONDocument(row.value ?? []).root
        } catch {
            throw .internalError("change \(row.seq) of the log names no notes")
        }
        var changes: [Change] = []
        for (index, key) in keys.elements.compactMap(\.integer).enumerated().dropFirst(first) {
            guard changes.count < limit else { return (changes, index) }
            if let change = try visibilityChange(of: key, by: row) { changes.append(change) }
        }
        return (changes, nil)
    }

    private static let isVisible = SQLText(
        "SELECT 1 FROM notes WHERE key = ?2 AND \(NoteVisibilitySQL.isVisibleToMember(asOf: "?3"))")

    private func isVisible(_ note: Int64, to reader: Int64, asOf seq: Int64) throws(RequestError) -> Bool {
        try query(db.statement(Self.isVisible).bind(reader, note, seq).hasRow())
    }

    /// Returns the change that tells a reader that a note became visible or invisible, or `nil` if nothing is to be
    /// sent. A note that became visible has its value of that time, unless it has been raised since; if the reader
    /// cannot see it any more, it has no words. A note that became
    /// invisible has its earlier value, which list models need.
    private func visibilityChange(of key: Int64, by row: Change) throws(RequestError) -> Change? {
        guard let note = try query(NoteTable.find(key: key, in: db)),
            let operation = try operation(on: note, by: row)
        else { return nil }
        let isGone = operation.isHiding
        let isAsItWas = note.version < row.seq && note.text != nil
        if !isGone, !isAsItWas, try !isVisible(key, to: row.scope.reader, asOf: row.seq) { return nil }
        let scope = ChangeScope(number: row.scope.number)
        var was = isAsItWas ? note.encoded() : try value(of: .note, note.id, scope: scope, asOf: row.seq)
        // A note that was deleted before is removed from clients that did not receive its deletion.
        if was == nil, isGone { was = try lastValue(of: .note, note.id, after: 0) }
        guard var value = was else { return nil }
        if note.isNameless { value = try ReplayedLogRow.redacted(value, of: note, Note.withoutAuthor) }
        var change = Change(
            seq: row.seq, transaction: row.transaction, at: row.at, kind: row.kind, id: note.id, scope: row.scope,
            operation: operation, changed: [], value: isGone ? nil : value, before: isGone ? value : nil, key: note.key)
        guard !isGone else { return change }
        let isVisible = try query(NoteTable.find(note.id, seenBy: row.scope.reader, in: db) != nil)
        if !isVisible { change.shown = try ReplayedLogRow.redacted(value, of: note, Note.withoutText) }
        return change
    }

    private static let ofBlock = SQLText(
        """
        SELECT 1 FROM notes JOIN hidden_authors ON hidden_authors.author = notes.author AND hidden_authors.club = notes.club
        WHERE notes.key = ?1 AND hidden_authors.reader = ?2
            AND (hidden_authors.since BETWEEN ?3 AND ?4 OR hidden_authors.until BETWEEN ?3 AND ?4)
        """)

    /// Returns the operation to send for a note that a row of the log names, or `nil` if nothing is sent any more. An
    /// operation that is visibly due to a block would reveal the author of a note that no longer names them. If the
    /// note is still invisible, the operation is therefore sent as a raised threshold.
    private func operation(on note: Note, by row: Change) throws(RequestError) -> ChangeOperation? {
        guard note.isNameless, row.operation != .raised else { return row.operation }
        let reader = row.scope.reader
        let isOfBlock = try query(db.statement(Self.ofBlock).bind(note.key, reader, row.transaction, row.seq).hasRow())
        guard isOfBlock else { return row.operation }
        // A new moderator receives notes that were not visible to them before, and blocks do not apply to moderators.
        guard row.operation.isHiding else {
            return try isVisible(note.key, to: reader, asOf: row.transaction - 1) ? nil : row.operation
        }
        return try query(NoteTable.find(note.id, seenBy: reader, in: db)) == nil
            ? .raised : nil
    }
}

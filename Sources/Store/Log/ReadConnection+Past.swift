import JSON
package import Model

extension ReadConnection {
    /// Returns a resource's representation right after the change `seq`, or `nil` if it did not exist or has another
    /// scope and has changed since. Throws if the log no longer reaches back to `seq`.
    ///
    /// Walks back from the current or deleted value: the `before` of a change names the version before it, which is the
    /// seq of the previous change. The cost depends on the resource's own changes, not on the length of the log.
    /// Entries that were deleted with their reading are not found, because only the reading's deletion is in the log.
    package func value(
        of kind: ResourceKind, _ id: ResourceID, scope: ChangeScope, asOf seq: Int64
    ) throws(RequestError) -> [UInt8]? {
        var value = try lastValue(of: kind, id, after: seq)
        if value == nil { value = try current(kind, id) }
        guard try seq >= floor() else { throw .internalError("the log no longer reaches back to change \(seq)") }
        while let newer = value, let version = ResourceRepresentation(newer)?["version"]?.integer, version > seq {
            let before = try before(of: version, kind, id, scope)
            value = before.flatMap { ResourceRepresentation.overlay(value: newer, before: $0, names: kind.fieldNames) }
        }
        return value
    }

    /// Returns the value that the first deletion after a change removed, or `nil` if there was no deletion.
    func lastValue(of kind: ResourceKind, _ id: ResourceID, after seq: Int64) throws(RequestError) -> [UInt8]? {
        try query(
            db.statement(
                """
                SELECT before, seq FROM changes WHERE operation = 3 AND resource = ?1 AND seq > ?2 AND kind = ?3
                ORDER BY seq LIMIT 1
                """
            ).bind(id, seq, Int64(kind.rawValue)).first { row throws(SQLiteError) in
                try row.logged(0, "before", seq: row.integer(1), id: id)
            } ?? nil)
    }

    private static let ends = SQLText(
        """
        SELECT seq FROM changes WHERE operation = 3 AND resource = ?1 AND seq > ?2
        UNION ALL SELECT changes.seq FROM notes JOIN changes ON changes.scope = -notes.club AND changes.reader = ?3
        WHERE notes.id = ?1 AND changes.seq > ?2 AND changes.operation > 4
            AND EXISTS (SELECT 1 FROM json_each(changes.value) AS named WHERE named.value = notes.key)
        """)

    /// Returns whether a reader receives the end of a resource after a change: that it was deleted, or hidden.
    package func hasEnd(
        of kind: ResourceKind, _ id: ResourceID, after cursor: Int64, seenBy reader: Int64
    ) throws(RequestError) -> Bool {
        let stored = kind.composition?.base ?? kind
        for seq in try query(db.statement(Self.ends).bind(id, cursor, reader).all({ $0.integer(0) })) {
            let changes = try changes(after: seq - 1, through: seq, seenBy: reader, limit: 1).changes
            if changes.contains(where: { $0.kind == stored && $0.id == id }) { return true }
        }
        return false
    }

    /// Returns the values that a change of the resource replaced, or `nil` if it created the resource.
    private func before(
        of seq: Int64, _ kind: ResourceKind, _ id: ResourceID, _ scope: ChangeScope
    ) throws(RequestError) -> [UInt8]? {
        try query(
            db.statement("SELECT before FROM changes WHERE seq = ?1 AND kind = ?2 AND resource = ?3 AND scope = ?4")
                .bind(seq, Int64(kind.rawValue), id, scope.number)
                .first { row throws(SQLiteError) in try row.logged(0, "before", seq: seq, id: id) } ?? nil)
    }

    /// Returns the current representation, or `nil` for a kind without rows: a card is made of a reading and a book.
    private func current(_ kind: ResourceKind, _ id: ResourceID) throws(RequestError) -> [UInt8]? {
        guard let table = StoredTable.ofKind[kind]?.resource else { return nil }
        return try query(table.representation(of: id, in: db))
    }
}

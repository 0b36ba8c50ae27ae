import JSON
package import Model

extension ReadConnection {
    /// What a resource's representation was right after the change `seq`; throws when the log does not reach it any more. Nil when it was
    /// not there, and for a resource of another scope that has changed since.
    ///
    /// Walks back from what the resource is, or was when it was deleted: what was before a change names the version before
    /// it, which is the seq of the change that made that one. So the cost is in the resource's own changes, however long
    /// the log is. Entries that went with their reading are not found: only the reading's end is in the log.
    package func value(
        of kind: ResourceKind, _ id: ResourceID, scope: Scope, asOf seq: Int64
    ) throws(LecternError) -> [UInt8]? {
        var value = try lastValue(of: kind, id, after: seq)
        if value == nil { value = try current(kind, id) }
        guard try seq >= floor() else { throw .internalError("the log no longer reaches back to change \(seq)") }
        while let newer = value, let version = Representation(newer)?["version"]?.integer, version > seq {
            let before = try before(of: version, kind, id, scope)
            value = before.flatMap { Representation.overlay(value: newer, before: $0, names: kind.fieldNames) }
        }
        return value
    }

    /// What the resource was when it was deleted for the first time after a change; nil when it was not.
    func lastValue(of kind: ResourceKind, _ id: ResourceID, after seq: Int64) throws(LecternError) -> [UInt8]? {
        try query { db throws(SQLiteError) in
            try db.statement(
                """
                SELECT before FROM changes WHERE operation = 3 AND resource = ?1 AND seq > ?2 AND kind = ?3
                ORDER BY seq LIMIT 1
                """
            ).bind(1, id).bind(2, seq).bind(3, Int64(kind.rawValue)).first { $0.bytes(0) } ?? nil
        }
    }

    /// What a change of the resource replaced; nil when it made the resource.
    private func before(
        of seq: Int64, _ kind: ResourceKind, _ id: ResourceID, _ scope: Scope
    ) throws(LecternError) -> [UInt8]? {
        try query { db throws(SQLiteError) in
            try db.statement("SELECT before FROM changes WHERE seq = ?1 AND kind = ?2 AND resource = ?3 AND scope = ?4")
                .bind(1, seq).bind(2, Int64(kind.rawValue)).bind(3, id).bind(4, scope.number)
                .first { $0.bytes(0) } ?? nil
        }
    }

    /// What it is now. Nothing for what has no rows: a card is made of a reading and a book.
    private func current(_ kind: ResourceKind, _ id: ResourceID) throws(LecternError) -> [UInt8]? {
        guard let resources = StoredTable.ofKind[kind] else { return nil }
        return try query { db throws(SQLiteError) in try resources.find(id, db) }
    }
}

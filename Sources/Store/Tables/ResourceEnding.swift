import Model

/// The rows of a table that change at the end of another resource: they are part of it, or refer to it.
///
/// At the end of a club these are the rows for readers outside it: all other rows of the club are deleted without
/// events. At the departure of a reader they are the rows that others see, besides memberships.
struct ResourceEnding: Sendable {
    /// The kind of the resource that ends.
    let kind: ResourceKind
    /// Returns the changes to at most `limit` rows that refer to the resource with a key.
    let changes: @Sendable (_ key: Int64, _ limit: Int64, SQLiteConnection) throws(SQLiteError) -> [any CommandChange]
}

extension ResourceTable {
    /// Returns the changes to the rows that satisfy a condition, which names the resource's key `?1`. Without `changes`,
    /// they are deleted. Rows that changed because a reader left must not satisfy the condition any more.
    static func ending(
        of kind: ResourceKind, where condition: String,
        _ changes: @escaping @Sendable (Row) -> [any CommandChange] = { deletions(of: [$0]) }
    ) -> ResourceEnding {
        let sql = rows.sql("WHERE \(condition) LIMIT ?2")
        return ResourceEnding(kind: kind) { key, limit, connection throws(SQLiteError) in
            try connection.statement(sql).bind(key, limit).all(row).flatMap(changes)
        }
    }
}

extension StoredTable {
    private static let endings = all.flatMap { $0.resource?.endings ?? [] }

    /// Returns the changes to the rows of all tables at the end of the resource with a key.
    static func changes(
        atEndOf kind: ResourceKind, _ key: Int64, in connection: SQLiteConnection
    ) throws(SQLiteError) -> [any CommandChange] {
        var changes: [any CommandChange] = []
        for ending in endings where ending.kind == kind { changes += try ending.changes(key, -1, connection) }
        return changes
    }

    /// Returns the first changes to rows that others see of a reader who left: at most `limit`, all for one reason.
    static func changes(
        ofDeparted reader: Int64, limit: Int64, in connection: SQLiteConnection
    ) throws(SQLiteError) -> [any CommandChange] {
        for ending in endings where ending.kind == .reader {
            let changes = try ending.changes(reader, limit, connection)
            if !changes.isEmpty { return changes }
        }
        return []
    }
}

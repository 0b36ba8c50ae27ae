import Model

/// The ids that clients chose for the resources that they created. Rows are kept forever, so even a very late retry is
/// recognized.
enum ClientChosenIDTable {
    private static let found = SQLText("SELECT reader, digest FROM claims WHERE id = ?1 AND kind = ?2")

    static func find(
        _ claim: ClientChosenID, of kind: ResourceKind, by reader: Int64, in connection: SQLiteConnection
    ) throws(SQLiteError) -> ClientChosenIDState {
        try connection.statement(found).bind(claim.id, Int64(kind.rawValue)).first {
            $0.integer(0) != reader ? .others : $0.equals(1, claim.digest) ? .same : .different
        } ?? .none
    }

    /// Returns the change that stores a claim.
    static func insertion(_ claim: ClientChosenID, of kind: ResourceKind, by reader: Int64) -> UnloggedWrite {
        UnloggedWrite(
            "INSERT INTO claims (id, kind, reader, digest) VALUES (?1, ?2, ?3, ?4)", claim.id,
            Int64(kind.rawValue), reader, claim.digest)
    }

    private static let ended = SQLText(
        "SELECT 1 FROM changes WHERE operation = 3 AND resource = ?1 AND kind = ?2 LIMIT 1")

    /// Returns a Boolean value indicating whether no row has the id, visible or not, and the log contains no deletion
    /// of it.
    static func isFree<Stored: ResourceTable>(
        _ id: ResourceID, in _: Stored.Type, _ connection: SQLiteConnection
    ) throws(SQLiteError) -> Bool {
        if try Stored.rows.has(id, in: connection) { return false }
        return try !connection.statement(ended).bind(id, Int64(Stored.Row.kind.rawValue)).hasRow()
    }
}

/// The state of an id that a reader claims.
enum ClientChosenIDState { case none, others, same, different }

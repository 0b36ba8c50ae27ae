import CSQLite
package import Model

/// An item of a page that is sent: known in its version, so that it need not be read, or read.
package enum Listed<Value: Resource>: Sendable {
    /// Its representation.
    case known([UInt8])
    /// What the database has.
    case read(Value)

    /// Gives the representation of a resource in a version; nil where none is held.
    package typealias Known = (_ id: ResourceID, _ version: Int64) -> [UInt8]?
}

extension Listed {
    /// The item of a row of key, id and version, in the snapshot that the row is of.
    init(
        _ row: Statement, _ known: Known, in db: Connection,
        _ find: (ResourceID, Connection) throws(SQLiteError) -> Value?
    ) throws(SQLiteError) {
        try self.init(row.id(1), row.integer(2), known, in: db, find)
    }

    /// The item of an id and a version, in the snapshot that they are of.
    init(
        _ id: ResourceID, _ version: Int64, _ known: Known, in db: Connection,
        _ find: (ResourceID, Connection) throws(SQLiteError) -> Value?
    ) throws(SQLiteError) {
        if let bytes = known(id, version) {
            self = .known(bytes)
        } else if let value = try find(id, db) {
            self = .read(value)
        } else {
            throw SQLiteError(code: SQLITE_CORRUPT, message: "a row is in an index, but not in its table")
        }
    }
}

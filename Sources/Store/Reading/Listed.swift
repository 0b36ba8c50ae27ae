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
        let id = row.id(1)
        if let bytes = known(id, row.integer(2)) {
            self = .known(bytes)
        } else if let value = try find(id, db) {
            self = .read(value)
        } else {
            throw SQLiteError(code: SQLITE_CORRUPT, message: "a row is in an index, but not in its table")
        }
    }
}

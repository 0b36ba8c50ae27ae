import CSQLite
package import Model

/// An item of a page: its known representation, or the value that was read.
package enum CachedOrReadItem<Value: Resource>: Sendable {
    /// The representation of a version that the caller already has.
    case known([UInt8])
    /// The value that was read from the database. It is indirect, because a page of known items would otherwise copy the
    /// space of a value for each.
    indirect case read(Value)

    /// Returns the representation of a resource in a version, or `nil` if none is cached.
    package typealias Known = (_ id: ResourceID, _ version: Int64) -> [UInt8]?
}

extension CachedOrReadItem {
    /// Creates the item with an id and a version. An unknown item is read, which must use the snapshot of the id and
    /// version.
    init(
        _ id: ResourceID, _ version: Int64, _ known: Known, in db: SQLiteConnection,
        _ find: (ResourceID, SQLiteConnection) throws(SQLiteError) -> Value?
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

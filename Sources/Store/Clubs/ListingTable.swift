import Model

/// Rows of what everyone may know of clubs.
enum ListingTable: Table {
    static let columns = """
        listings.key, listings.id, listings.version, listings.name, listings.description, listings.created_at, \
        listings.updated_at
        """

    static func row(_ statement: Statement) -> Listing {
        var listing = Listing(
            key: statement.integer(0), id: statement.id(1), name: statement.text(3), createdAt: statement.instant(5))
        listing.version = statement.integer(2)
        listing.description = statement.optionalText(4)
        listing.updatedAt = statement.instant(6)
        return listing
    }

    static func find(_ id: ResourceID, in connection: Connection) throws(SQLiteError) -> Listing? {
        try connection.statement(shape: Connection.Shape.of(.listing)) {
            "SELECT \(columns) FROM listings WHERE listings.id = ?1"
        }.bind(1, id).first(row)
    }

    static func insert(_ listing: Listing, in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.statement(
            """
            INSERT INTO listings (key, id, version, name, description, created_at, updated_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        ).bind(1, listing.key).bind(2, listing.id).bind(3, listing.version).bind(4, listing.name)
            .bind(5, listing.description).bind(6, listing.createdAt).bind(7, listing.updatedAt).run()
        return listing.key
    }

    static func update(_ listing: Listing, changed: FieldSet, in connection: Connection) throws(SQLiteError) {
        try connection.statement(
            "UPDATE listings SET version = ?1, name = ?2, description = ?3, updated_at = ?4 WHERE key = ?5"
        ).bind(1, listing.version).bind(2, listing.name).bind(3, listing.description).bind(4, listing.updatedAt)
            .bind(5, listing.key).run()
    }

    static func delete(_ listing: Listing, in connection: Connection) throws(SQLiteError) {
        try connection.statement("DELETE FROM listings WHERE key = ?1").bind(1, listing.key).run()
    }

    static func scope(of row: Listing, key: Int64, in connection: Connection) -> Scope { .everyone }
}

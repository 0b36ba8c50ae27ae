import Migrations

/// The schema's way from version to version.
enum Schema {
    /// Brings a database to the newest version, one transaction a step. Throws `tooNew` for one from the future.
    static func migrate(_ connection: Connection) throws(StoreError) {
        let known = Int64(Migrations.all.count)
        var version = try self.version(of: connection)
        guard version <= known else { throw .tooNew(found: version, known: known) }
        while version < known {
            do { try step(to: version + 1, connection) } catch { throw StoreError(error) }
            version += 1
        }
    }

    private static func version(of connection: Connection) throws(StoreError) -> Int64 {
        do { return try connection.number("PRAGMA user_version") ?? 0 } catch { throw StoreError(error) }
    }

    private static func step(to version: Int64, _ connection: Connection) throws(SQLiteError) {
        let sql = String(decoding: Migrations.all[Int(version) - 1], as: UTF8.self)
        try connection.execute("BEGIN IMMEDIATE")
        do {
            try connection.execute(sql)
            try connection.execute("PRAGMA user_version = \(version)")
            try connection.execute("COMMIT")
        } catch {
            try? connection.execute("ROLLBACK")
            throw error
        }
    }
}

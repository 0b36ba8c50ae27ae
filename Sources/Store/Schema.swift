import Migrations

/// The schema's way from version to version.
enum Schema {
    /// The version that this program writes.
    static let newest = Int64(Migrations.all.count)

    /// Brings a database to the newest version, one transaction a step.
    static func migrate(_ connection: Connection, from found: Int64) throws(SQLiteError) {
        var version = found
        while version < newest {
            version += 1
            try step(to: version, connection)
        }
    }

    private static func step(to version: Int64, _ connection: Connection) throws(SQLiteError) {
        let sql = String(decoding: Migrations.all[Int(version) - 1], as: UTF8.self)
        try connection.execute("BEGIN IMMEDIATE")
        do {
            try connection.execute(sql)
            try connection.execute("PRAGMA user_version = \(version)")
            try connection.execute("COMMIT")
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
    }
}

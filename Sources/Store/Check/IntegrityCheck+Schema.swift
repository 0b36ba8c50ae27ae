import CSQLite
import Synchronization

extension IntegrityCheck {
    /// Compares the schema with the one that the migrations to its version create. A foreign trigger could write
    /// anything, and a missing unique index would allow duplicate rows.
    static func schema(_ connection: SQLiteConnection, version: Int64) throws(SQLiteError) -> [String] {
        let (expected, there) = (try expected(version), try objects(of: connection))
        var found: [String] = []
        for (name, text) in expected where there[name] != text {
            found.append("schema: \(name) is \(there[name] == nil ? "missing" : "another than version \(version) has")")
        }
        for name in there.keys where expected[name] == nil {
            found.append("schema: \(name) is not part of version \(version)")
        }
        return Array(found.sorted().prefix(findingsMax))
    }

    /// The objects of the versions that were checked before in this process.
    private static let known = Mutex<[Int64: [String: String]]>([:])

    /// Returns the objects that the migrations to a version create.
    private static func expected(_ version: Int64) throws(SQLiteError) -> [String: String] {
        if let objects = known.withLock({ $0[version] }) { return objects }
        let reference = try SQLiteConnection(
            path: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY)
        try DatabaseSchema.migrate(reference, from: 0, to: version)
        let objects = try objects(of: reference)
        known.withLock { $0[version] = objects }
        return objects
    }

    /// Returns the objects of a schema, such as "index books_isbn", each with its table and its text. The tables of
    /// SQLite's planner are left out, but not triggers with their names.
    private static func objects(of connection: SQLiteConnection) throws(SQLiteError) -> [String: String] {
        // SQLite puts quotes around the names that it rewrites, as after two renames of a table.
        let rows = try connection.statement(
            once: """
                SELECT type || ' ' || name, replace(tbl_name || ' ' || coalesce(sql, ''), '"', '') FROM sqlite_schema
                WHERE NOT (type = 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4'))
                """)
        defer { rows.reset() }
        let application = try connection.number("PRAGMA application_id") ?? 0
        var objects = ["application id": "\(application)"]
        while try rows.step() { objects[rows.text(0)] = rows.text(1) }
        return objects
    }
}

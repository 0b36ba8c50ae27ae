/// The schema's version and its migrations.
enum DatabaseSchema {
    /// The version that this program writes.
    static var newest: Int64 { Int64(Migrations.all.count) }

    /// The number of bytes of a page. `lectern_sqlite3_renumber` relies on it.
    static let pageBytes: Int64 = 4096

    /// The `PRAGMA application_id` of databases since version 1.0: `Lct1`.
    static let application: Int64 = 0x4C63_7431

    /// The application id of databases of development versions: `Lect`. Their first four migrations set none.
    private static let developmentApplication: Int64 = 0x4C65_6374

    /// Returns the version of a database, or 0 for a new one. Throws `foreign` for another program's database,
    /// `development`, `tooNew`, or `file` for another page size.
    static func version(of connection: SQLiteConnection, _ directory: DataDirectory) throws(StoreError) -> Int64 {
        let (application, version, pageBytes, tables, ours, hasOldTable) = try StoreError.at(directory) {
            () throws(SQLiteError) in
            (
                try connection.number("PRAGMA application_id") ?? 0, try connection.number("PRAGMA user_version") ?? 0,
                try connection.number("PRAGMA page_size") ?? 0,
                try connection.number("SELECT count(*) FROM sqlite_schema") ?? 0,
                try connection.number("SELECT count(*) FROM sqlite_schema WHERE name IN ('meta', 'changes')") ?? 0,
                // The last development versions had one of these tables or indexes, or this column.
                try connection.number(
                    """
                    SELECT 1 FROM sqlite_schema
                    WHERE name IN ('doomed_readings', 'bulk_note_changes', 'entries_ahead', 'attendances_member')
                        OR name = 'streams' AND sql LIKE '%policy%' LIMIT 1
                    """) != nil
            )
        }
        func foreign(_ reason: String) -> StoreError { .foreign(path: directory.database, reason: reason) }
        let hasNoApplication = application == 0 && ours == 2 && (1...4).contains(version)
        guard application != developmentApplication, !hasNoApplication, !hasOldTable else {
            throw .development(path: directory.database)
        }
        guard application == Self.application || application == 0 else {
            throw foreign("its application id is \(application)")
        }
        guard tables == 0 || ours == 2 else { throw foreign("it has other tables") }
        guard version >= 0, (version == 0) == (tables == 0) else { throw foreign("its schema version is \(version)") }
        guard version <= newest else { throw .tooNew(found: version, known: newest) }
        guard tables == 0 || pageBytes == Self.pageBytes else {
            // The size cannot be changed while there is a write-ahead log.
            let change = "PRAGMA journal_mode = DELETE; PRAGMA page_size = \(Self.pageBytes); VACUUM"
            throw .file(
                path: directory.database,
                reason: "its page size is \(pageBytes); change it in SQLite's shell with \(change)")
        }
        return version
    }

    /// Migrates a database to a version, by default the newest, with one transaction per migration.
    static func migrate(
        _ connection: SQLiteConnection, from found: Int64, to wanted: Int64 = newest
    ) throws(SQLiteError) {
        var version = found
        while version < wanted {
            version += 1
            try step(to: version, connection)
        }
    }

    private static func step(to version: Int64, _ connection: SQLiteConnection) throws(SQLiteError) {
        let sql = String(decoding: Migrations.all[Int(version) - 1], as: UTF8.self)
        // A migration may change the text of a table, which SQLite otherwise prevents.
        connection.guardsSchema(false)
        defer { connection.guardsSchema(true) }
        try connection.execute("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            try connection.execute(sql)
            try connection.execute("PRAGMA user_version = \(version)")
            try connection.execute("COMMIT")
        } catch {
            // The first error counts. The connection is then closed, which also rolls back.
            do throws(SQLiteError) { try connection.rollBack() } catch {}
            throw error
        }
    }
}

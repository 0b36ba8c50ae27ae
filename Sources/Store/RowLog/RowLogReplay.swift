import CSQLite
import Model

/// The replay of the row log that begins at a backup, in a copy of the backup.
struct RowLogReplay {
    /// The directory of the backup and of the log.
    let folder: BackupDirectory
    /// The time after whose records the replay ends, or `nil` for all.
    let until: Instant?
    /// The time of the last replayed record, or `nil` if there was none.
    private(set) var time: Instant?

    init(_ folder: BackupDirectory, until: Instant?) { (self.folder, self.until) = (folder, until) }

    private func path(_ id: String) -> String { folder.path(of: RowLogFile.name(of: id)) }

    /// Returns the files that follow a backup, in their order: that of the backup, and each that names the one before.
    /// There are none for a backup without a log. Throws if one is missing.
    func files(after id: String) throws(StoreError) -> [String] {
        var (previous, following): ([String: String], [String: String]) = ([:], [:])
        for id in DataDirectory.names(in: folder.path).compactMap(RowLogFile.id) {
            // A file without its first line, after a kill or on a full disk, has no records.
            guard let reader = try? RowLogReader(path(id)) else { continue }
            previous[id] = reader.previous ?? ""
            // Later files have greater ids.
            if let before = reader.previous, before < id { following[before] = id }
        }
        for before in following.keys.sorted() where before >= id && previous[before] == nil {
            guard let until, let began = Backup.time(of: before), until < began else {
                throw .file(
                    path: path(before),
                    reason:
                        "is missing, and \(RowLogFile.name(of: following[before] ?? "")) follows it. Put it back, or use "
                        + "--until with an earlier time. Nothing was restored")
            }
        }
        return previous[id] == nil ? [] : Array(sequence(first: id) { following[$0] })
    }

    /// Replays the records of files. The search index is emptied; the next start makes it again.
    mutating func run(_ files: [String], in copy: DataDirectory) throws(StoreError) {
        let (connection, version) = try copy.opened()
        try StoreError.at(copy) { () throws(SQLiteError) in
            // The copy is discarded after an error.
            for pragma in ["journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF"] {
                try connection.execute("PRAGMA \(pragma)")
            }
            let code = lectern_sqlite3_config_flag(connection.handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
            guard code == SQLITE_OK else { throw connection.error(code) }
            try connection.run("BEGIN")
        }
        for id in files {
            guard try replay(id, version, in: connection, isLast: id == files.last) else { break }
        }
        try StoreError.at(copy) { () throws(SQLiteError) in
            for table in StoredTable.all where table.isLocal && table.name != "meta" {
                try connection.execute("DELETE FROM \(table.name)")
                // The index keeps words of deleted rows.
                if table.name != "words" {
                    try connection.execute("INSERT INTO \(table.name) (\(table.name)) VALUES ('rebuild')")
                }
            }
            try connection.run("DELETE FROM meta WHERE name = 'fold'")
            try connection.run("COMMIT")
            // Deleted rows leave bytes in unused space, also of readers who left after the backup.
            try connection.execute("VACUUM")
        }
    }

    /// Replays a file. Returns `false` after the last record that is wanted.
    private mutating func replay(
        _ id: String, _ version: Int64, in connection: SQLiteConnection, isLast: Bool
    ) throws(StoreError) -> Bool {
        var reader = try RowLogReader(path(id))
        guard reader.schema == version else {
            throw .file(path: path(id), reason: "is of schema \(reader.schema), and the backup of \(version)")
        }
        while let record = try reader.next() {
            if let until, record.time > until { return false }
            do throws(SQLiteError) { try record.replay(in: connection) } catch {
                throw .file(
                    path: path(id), reason: "does not follow the backup: \(error.message). Nothing was restored")
            }
            time = record.time
        }
        guard isLast || reader.isAtEnd else { throw .file(path: path(id), reason: "is not complete") }
        return true
    }
}

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

    /// Returns whether a backup has a log.
    func hasLog(of id: String) -> Bool { DataDirectory.status(path(id)) != nil }

    private func path(_ id: String) -> String { folder.path(of: RowLogFile.name(of: id)) }

    /// Replays the records of a backup's file and of those that follow it. The search index is emptied; the next start
    /// makes it again.
    mutating func run(from id: String, in copy: DataDirectory) throws(StoreError) {
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
        var following = try filesByPrevious()
        var next: String? = id
        while let id = next {
            next = following.removeValue(forKey: id)
            guard try replay(id, version, in: connection, isLast: next == nil) else { break }
        }
        try StoreError.at(copy) { () throws(SQLiteError) in
            for table in StoredTable.all where table.isLocal && table.name != "meta" {
                try connection.execute("DELETE FROM \(table.name)")
            }
            try connection.run("DELETE FROM meta WHERE name = 'fold'")
            try connection.run("COMMIT")
            // Deleted rows leave bytes in unused space, also of readers who left after the backup.
            try connection.execute("VACUUM")
        }
    }

    /// Returns the ids of the files by those of the files before them.
    private func filesByPrevious() throws(StoreError) -> [String: String] {
        var files: [String: String] = [:]
        for id in DataDirectory.names(in: folder.path).compactMap(RowLogFile.id) {
            if let previous = try RowLogReader(path(id)).previous { files[previous] = id }
        }
        return files
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
                    path: path(id), reason: "does not fit the backup: \(error.message) (SQLite error \(error.code))")
            }
            time = record.time
        }
        guard isLast || reader.isAtEnd else { throw .file(path: path(id), reason: "is not complete") }
        return true
    }
}

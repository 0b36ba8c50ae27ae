import CSQLite
import Model

/// The replay of the row log that begins at a backup, in a copy of the backup.
struct RowLogReplay {
    /// The directory of the backup and of the log.
    let folder: BackupDirectory
    /// The time after whose records the replay ends, or `nil` for all.
    let until: Instant?
    let progress: RestoreProgress
    /// The time of the last replayed record, or `nil` if there was none.
    private(set) var time: Instant?
    /// A Boolean value indicating whether the log ended before a record after `until`.
    private var isAtEnd = false
    /// The first file of another log that begins after the end of this one.
    private var other: String?

    init(_ folder: BackupDirectory, until: Instant?, progress: RestoreProgress) {
        (self.folder, self.until, self.progress) = (folder, until, progress)
    }

    private func path(_ id: String) -> String { folder.path(of: RowLogFile.name(of: id)) }

    /// Replays the records of the file with the id of the backup, and of those that follow it. The search index is
    /// emptied; the next start makes it again.
    mutating func run(after backup: String, in copy: DataDirectory) throws(StoreError) {
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
        do throws(StoreError) {
            var (previous, next): (String?, String?) = (nil, backup)
            while let id = next { (previous, next) = (id, try replay(id, after: previous, version, in: connection)) }
        } catch {
            // A missing or damaged file, and the last rows that are wanted are those before it.
            if case .file = error, let until, time == until { return try finish(connection, copy) }
            throw refusal(error, time ?? Backup.time(of: backup))
        }
        if isAtEnd, let end = time ?? Backup.time(of: backup) { try reportEnd(end) }
        try finish(connection, copy)
    }

    /// Tells the operator where the log ends, if more may be wanted. Throws if another log has what is wanted.
    private func reportEnd(_ end: Instant) throws(StoreError) {
        let text = "The log of rows ends at \(end)"
        if let until, until <= end { return }
        guard let other, let began = Backup.time(of: other), began <= until ?? began else {
            if until != nil { progress.print(text + ", before the given time") }
            return
        }
        let hint = "\(text), and \(RowLogFile.name(of: other)) begins another one"
        guard until == nil else { throw .database("\(hint): restore the backup of that one. Nothing was restored") }
        progress.print("\(hint). Restore the backup of that one for what follows")
    }

    private func finish(_ connection: SQLiteConnection, _ copy: DataDirectory) throws(StoreError) {
        progress.watch(connection, "rebuilding the database")
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

    /// Returns an error with the time until which everything can be restored.
    private func refusal(_ error: StoreError, _ reached: Instant?) -> StoreError {
        guard let reached else { return error }
        return .database(
            "\(error). Nothing was restored. Put back the file, or restore all that precedes it with `--until \(reached)`"
        )
    }

    /// Replays a file. Returns the id of the file that follows, or `nil` after the last record that is wanted.
    private mutating func replay(
        _ id: String, after previous: String?, _ version: Int64, in connection: SQLiteConnection
    ) throws(StoreError) -> String? {
        var reader = try RowLogReader(id, in: folder)
        guard reader.schema == version else {
            throw .file(path: path(id), reason: "is of schema \(reader.schema), and the backup of \(version)")
        }
        // Ids grow, so no files follow each other in a circle.
        guard previous.map({ $0 < id && $0 == reader.previous }) ?? true else {
            throw .file(path: path(id), reason: "does not follow \(RowLogFile.name(of: previous ?? ""))")
        }
        while let record = try reader.next() {
            if let until, record.time > until { return nil }
            if let next = record.next { return next }
            do throws(SQLiteError) { try record.replay(in: connection) } catch {
                throw .database("\(path(id)): cannot replay the rows before byte \(reader.place): \(error.message)")
            }
            time = record.time
            progress.report("\(path(id)): \(reader.place >> 20) of \(reader.end >> 20) MiB, until \(record.time)")
        }
        isAtEnd = true
        other = try nextLog(after: id)
        if reader.hasMore {
            progress.print("\(path(id)) ends within a record, as after a kill. The record does not count")
        }
        return nil
    }

    /// Returns the first file of another log after a file whose last record names none, or `nil`. Throws if a file
    /// follows that one.
    private func nextLog(after id: String) throws(StoreError) -> String? {
        for later in DataDirectory.names(in: folder.path).compactMap(RowLogFile.id).filter({ $0 > id }).sorted() {
            // A file without its first line, after a kill or on a full disk, has no records.
            guard let reader = try? RowLogReader(later, in: folder) else { continue }
            guard let previous = reader.previous else { return later }
            // Without a record it was begun just before a kill.
            if previous == id, !reader.hasMore { continue }
            throw .file(path: path(id), reason: "is not complete: \(RowLogFile.name(of: later)) follows")
        }
        return nil
    }
}

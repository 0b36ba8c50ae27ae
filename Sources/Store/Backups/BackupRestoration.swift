import CLinux
import Glibc
package import Model

/// The restoration of a backup into a data directory without a database. All work is done in a subdirectory, and one
/// rename at the end puts the database in place. An interruption therefore leaves no database or a complete one.
package struct BackupRestoration {
    private let directory: DataDirectory
    private let staging: DataDirectory
    private let input: String
    private let keepsTokens: Bool
    private let until: Instant?
    private let progress: RestoreProgress

    /// Creates a restoration of `input`, the path of a backup file or of a source of its bytes, such as /dev/stdin. A
    /// log of rows beside the file is replayed up to a time, or to its end.
    package init(
        _ input: String, into directory: String, keepsTokens: Bool, until: Instant? = nil,
        progress: RestoreProgress = RestoreProgress()
    ) {
        (self.input, self.until, self.progress) = (input, until, progress)
        self.keepsTokens = keepsTokens
        self.directory = DataDirectory(path: directory)
        staging = DataDirectory(path: self.directory.restoring)
    }

    /// Checks the backup and makes it the database, with a new epoch and without its tokens unless they are to be kept.
    /// Returns the last change of the database, the number of tokens that were ended, and the time of the last
    /// replayed rows.
    ///
    /// If nothing is restored, a directory that this created and its lock are removed.
    package func run() throws(StoreError) -> (seq: Int64, tokens: Int, time: Instant?) {
        let isMade = try directory.make()
        var isRestored = false
        // If a directory remains, the next restore finds it empty.
        defer { if isMade, !isRestored { rmdir(directory.path) } }
        let lock = try DirectoryLock(directory)
        defer {
            // As above.
            if lock.isNew, !isRestored { unlink(directory.lock) }
            lock.release()
        }
        try demandNone()
        directory.clearTemporaryFiles()
        defer { directory.clearTemporaryFiles() }
        try staging.make()
        let (copy, rowLog) = try fetch()
        try check()
        let time = try replay(rowLog)
        let (seq, tokens, head) = try settle()
        try place(copy, lock, head: head)
        isRestored = true
        return (seq, tokens, time)
    }

    private func demandNone() throws(StoreError) {
        func refuse(_ path: String, _ what: String) -> StoreError {
            .file(
                path: path,
                reason: "\(what). Nothing was overwritten. Restore into another --data, or move it away first")
        }
        if DataDirectory.size(directory.database) ?? 0 > 0 {
            throw refuse(directory.database, "there is a database")
        }
        // SQLite would take the log for that of the restored database.
        guard directory.wasClosed else { throw refuse(directory.log, "this is left from another database") }
    }

    /// Reads the backup into a private file, without its digest. Returns it and the id of the row log that begins with it.
    private func fetch() throws(StoreError) -> (DatabaseCopyFile, rowLog: String?) {
        if DataDirectory.size(input + "-wal") ?? 0 > 0 {
            throw .file(
                path: input,
                reason: "there is a write-ahead log next to it: it is in use, or it was copied while it was in use. "
                    + "`lectern backup` makes a complete copy")
        }
        let source = clinux_open_readonly(input)
        guard source >= 0 else { throw .system(input) }
        // The descriptor was only read from, so closing it loses nothing.
        defer { close(source) }
        let copy = try DatabaseCopyFile(creating: staging.database)
        try PartialFile.read(source, of: input) { bytes throws(StoreError) in
            try copy.write(bytes.bytes)
            progress.report("copying \(input): \((DataDirectory.size(copy.path) ?? 0) >> 20) MiB")
        }
        return (copy, try copy.removeDigest(copiedFrom: input))
    }

    /// Checks that the file is a Lectern database, that its schema is exactly that of its version, and that its pages
    /// are sound. The schema is checked first, because a foreign trigger or view would run when the database is
    /// written.
    private func check() throws(StoreError) {
        let findings: [String]
        do throws(StoreError) {
            let (connection, version) = try staging.opened()
            progress.watch(connection, "checking the database")
            findings = try StoreError.at(staging) { () throws(SQLiteError) in
                let schema = try IntegrityCheck.schema(connection, version: version)
                return schema.isEmpty ? try IntegrityCheck.fileFindings(connection, version: version) : schema
            }
        } catch {
            switch error {
            case .foreign(_, let reason): throw .file(path: input, reason: "is not a Lectern backup: \(reason)")
            case .nothing: throw .file(path: input, reason: "is not a Lectern backup: it is empty")
            case .development: throw .development(path: input)
            case .damaged(_, let found): throw unsound(found)
            default: throw error
            }
        }
        guard findings.isEmpty else { throw unsound(findings) }
    }

    /// Replays the log of rows beside the backup. Returns the time of the last replayed rows, or `nil` if there are none.
    private func replay(_ id: String?) throws(StoreError) -> Instant? {
        guard let id, let made = Backup.time(of: id) else {
            guard until == nil else { throw .file(path: input, reason: "has no log of rows. Nothing was restored") }
            return nil
        }
        if let until, until <= made {
            guard until == made else {
                throw .file(
                    path: input, reason: "is of \(made), after \(until): restore an earlier one. Nothing was restored")
            }
            return nil
        }
        var replay = RowLogReplay(
            BackupDirectory(path: DataDirectory.folder(of: input)), until: until, progress: progress)
        try replay.run(after: id, in: staging)
        try check()
        return replay.time
    }

    private func unsound(_ findings: [String]) -> StoreError {
        .file(
            path: input,
            reason: "is not a valid backup: \(findings.prefix(5).joined(separator: "; ")). Nothing was restored")
    }

    /// Upgrades the database to this program's schema, gives it a new epoch and ends its tokens.
    private func settle() throws(StoreError) -> (seq: Int64, tokens: Int, head: Int64) {
        var configuration = StoreConfiguration()
        configuration.ballastBytes = 0
        configuration.backups.precedeUpgrades = false
        // The server that opens it decides about retention.
        (configuration.retentionCountMax, configuration.retentionDaysMax) = (.max, .max)
        let store = try Store.open(directory: staging.path, configuration: configuration, creates: false)
        defer { store.close() }
        let reads = try store.makeReadConnection()
        do throws(RequestError) {
            let seq = try reads.head()
            guard !keepsTokens else { return (seq, 0, seq) }
            let tokens = Int(try reads.query(reads.db.number("SELECT count(*) FROM tokens")) ?? 0)
            try store.run(.endAllTokens)
            return (seq, tokens, try reads.head())
        } catch {
            throw .database("cannot write the restored database: \(error)")
        }
    }

    private func place(_ copy: DatabaseCopyFile, _ lock: DirectoryLock, head: Int64) throws(StoreError) {
        guard staging.wasClosed else { throw .file(path: staging.log, reason: "another program has it open") }
        try copy.finish(as: directory.database, replacing: true)
        guard lock.recordStart(served: head) else { throw .system(directory.lock) }
        CleanShutdownRecord.write(in: directory)
    }
}

extension Command {
    /// Ends all tokens, and with them sessions, streams, links, invitations and calendar addresses. Any of them may
    /// have been used or ended since the backup, so those from before a restore are no longer valid.
    static let endAllTokens = Command { state, _ throws(RequestError) in
        let streams = try state.query(NamedStreamTable.all(in: state.db)).map { StreamWrite(before: $0, after: nil) }
        return try CommandDecision(
            streams + state.ending(OneTimeLinkTable.self, OneTimeLinkTable.all(in: state.db))
                + state.ending(InvitationTable.self, InvitationTable.all(in: state.db))
                + state.ending(CalendarAddressTable.self, CalendarAddressTable.all(in: state.db))
                + state.ending(TokenTable.self, TokenTable.all(in: state.db)))
    }
}

extension ResourceTable {
    fileprivate static func all(in connection: SQLiteConnection) throws(SQLiteError) -> [Row] {
        try connection.statement(once: "SELECT \(rows.columns) FROM \(rows.joins) ORDER BY \(rows.name).key").all(row)
    }
}

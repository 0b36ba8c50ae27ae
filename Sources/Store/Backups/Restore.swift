import CLinux
import CSQLite
import Glibc
import Model
import Synchronization

/// A backup on its way into a data directory that has no database. All is done in a directory within that one; what comes of it gets
/// its name in the end, at once. So whoever is interrupted leaves no database, or a whole one.
package struct Restore {
    private let directory: DataDirectory
    private let staging: DataDirectory
    private let input: String
    private let keepsTokens: Bool

    /// `input` is the file of a backup, or what gives one, as /dev/stdin.
    package init(_ input: String, into directory: String, keepsTokens: Bool) {
        self.input = input
        self.keepsTokens = keepsTokens
        self.directory = DataDirectory(path: directory)
        staging = DataDirectory(path: self.directory.restoring)
    }

    /// A database that was restored.
    package struct Restored: Sendable {
        /// Its last change.
        package let seq: Int64
        /// The number of its tokens that have ended.
        package let tokens: Int
        /// Whether the backup had a digest. Without one only damage that `lectern check` finds is noticed.
        package let hasDigest: Bool
    }

    /// Checks it and lets it be the database: one with another epoch, whose tokens have ended. Its last change, and how many tokens.
    ///
    /// A directory that this made, and its lock, are removed again when nothing is restored.
    package func run() throws(StoreError) -> Restored {
        let isMade = try directory.make()
        do throws(StoreError) {
            let lock = try DirectoryLock(directory)
            defer { lock.release() }
            do throws(StoreError) {
                return try run(lock)
            } catch {
                // If a directory remains, the next restore finds it empty.
                if lock.isNew { unlink(directory.lock) }
                throw error
            }
        } catch {
            // As above.
            if isMade { rmdir(directory.path) }
            throw error
        }
    }

    private func run(_ lock: DirectoryLock) throws(StoreError) -> Restored {
        try demandNone()
        Leavings(in: directory).clear()
        do throws(StoreError) {
            try staging.make()
            let (hasDigest, byteCount) = try fetch()
            // Rows of an older version can be checked once they are brought up to date.
            let isChecked = try check(wholly: !hasDigest, byteCount: byteCount)
            let (seq, tokens, head) = try settle()
            if !isChecked { _ = try check(wholly: true, byteCount: nil) }
            try place(lock, head: head)
            Leavings(in: directory).clear()
            return Restored(seq: seq, tokens: tokens, hasDigest: hasDigest)
        } catch {
            Leavings(in: directory).clear()
            throw error
        }
    }

    private func demandNone() throws(StoreError) {
        func refuse(_ path: String, _ what: String) -> StoreError {
            .file(
                path: path,
                reason: "\(what). Nothing is overwritten: restore into another --data, or move it away first")
        }
        var found = stat()
        if stat(directory.database, &found) == 0, found.st_size > 0 {
            throw refuse(directory.database, "there is a database")
        }
        // It would be taken for the restored one's.
        guard directory.wasClosed else { throw refuse(directory.log, "this is left of another database") }
    }

    /// Reads the backup into a file that only the owner may read. Returns whether it has a digest, and the length of a database's file.
    private func fetch() throws(StoreError) -> (hasDigest: Bool, byteCount: Int64?) {
        var found = stat()
        if stat(input + "-wal", &found) == 0, found.st_size > 0 {
            throw .file(
                path: input,
                reason: "there is a write-ahead log beside it: it was copied while it was written, or is served. "
                    + "`lectern backup` makes a copy that is whole")
        }
        let source = clinux_open_readonly(input)
        guard source >= 0 else { throw .file(path: input, reason: DataDirectory.reason()) }
        // The descriptor was only read from, so closing it loses nothing.
        defer { close(source) }
        let target = clinux_create_private(staging.database)
        guard target >= 0 else { throw .file(path: staging.database, reason: DataDirectory.reason()) }
        // The file was synced before, or is discarded.
        defer { close(target) }
        var backup = BackupInput(input, to: target, at: staging.database)
        let hasDigest = try backup.read(source)
        if backup.fileByteCount == nil { try CopyFile(path: staging.database).seal() }
        return (hasDigest, backup.fileByteCount)
    }

    /// Checks whose it is, that its schema is the one that its version has, with no trigger or view of anybody else's, which would act
    /// when it is written, and that its pages are sound. In this order: nothing of it is run before that is known.
    ///
    /// Without a digest the rows are checked, too, as `lectern check` does; false where their version is too old for that.
    private func check(wholly: Bool, byteCount: Int64?) throws(StoreError) -> Bool {
        let (findings, isWhole): ([String], Bool)
        do throws(StoreError) {
            let connection = try StoreError.at(staging) { () throws(SQLiteError) in
                try Connection(path: staging.database, flags: SQLITE_OPEN_READWRITE)
            }
            let version = try Schema.version(of: connection, staging)
            guard version > 0 else { throw .foreign(path: input, reason: "it is empty") }
            isWhole = wholly && version == Schema.newest
            findings = try StoreError.at(staging) { () throws(SQLiteError) in
                let schema = try Integrity.schema(connection, version: version)
                guard schema.isEmpty else { return schema }
                if let finding = try Self.lengthFinding(connection, byteCount: byteCount) { return [finding] }
                return isWhole
                    ? try Integrity.allFindings(connection) : try Integrity.fileFindings(connection, version: version)
            }
        } catch {
            switch error {
            case .foreign(_, let reason): throw .file(path: input, reason: "is no backup of lectern: \(reason)")
            case .development: throw .development(path: input)
            case .damaged(_, let found): throw unsound(found)
            default: throw error
            }
        }
        guard findings.isEmpty else { throw unsound(findings) }
        return isWhole || !wholly
    }

    /// Returns how the length of a database file differs from its header; `nil` if it does not.
    private static func lengthFinding(_ connection: Connection, byteCount: Int64?) throws(SQLiteError) -> String? {
        let size = try connection.number("PRAGMA page_size") ?? 0
        let bytes = try (connection.number("PRAGMA page_count") ?? 0) * size
        guard let byteCount, byteCount != bytes else { return nil }
        return "it has \(byteCount) bytes, and \(bytes) by its header"
    }

    private func unsound(_ findings: [String]) -> StoreError {
        .file(
            path: input,
            reason: "is no sound backup: \(findings.prefix(5).joined(separator: "; ")). Nothing was restored")
    }

    /// Brings it to this program's schema, gives it another epoch, as any copy gets, and ends its tokens.
    private func settle() throws(StoreError) -> (seq: Int64, tokens: Int, head: Int64) {
        var configuration = StoreConfiguration()
        configuration.ballastBytes = 0
        configuration.backups.precedeUpgrades = false
        // What is forgotten is for who serves it to say.
        (configuration.retentionCountMax, configuration.retentionDaysMax) = (.max, .max)
        let store = try Store.open(directory: staging.path, configuration: configuration, creates: false)
        defer { store.close() }
        let reads = try store.makeReadConnection()
        do throws(LecternError) {
            let seq = try reads.head()
            guard !keepsTokens else { return (seq, 0, seq) }
            let tokens = try reads.tokenCount()
            try store.wait(for: .endAllTokens)
            return (seq, tokens, try reads.head())
        } catch {
            throw .database("what is restored cannot be written: \(error)")
        }
    }

    private func place(_ lock: DirectoryLock, head: Int64) throws(StoreError) {
        guard staging.wasClosed else { throw .file(path: staging.log, reason: "another program has it open") }
        try CopyFile(path: staging.database).rename(to: directory.database)
        guard lock.noteBeginning(served: head) else {
            throw .file(path: directory.lock, reason: DataDirectory.reason())
        }
        EndRecord.write(in: directory)
    }
}

extension Store {
    /// Runs a command for the house, and waits until it is on disk.
    fileprivate func wait(for command: Command) throws(LecternError) {
        let done = Latch()
        let failure = Mutex<LecternError?>(nil)
        let submission = Submission(command: command, asker: .house(at: .now)) { result in
            if case .failure(let error) = result { failure.withLock { $0 = error } }
            done.open()
        }
        guard submit(submission) else { return }
        done.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}

extension Command {
    /// Ends all tokens, and with them sessions, and all that was opened with them, and links, which may have been used since: whoever has
    /// one from before a restore has it no more.
    static let endAllTokens = Command { state, _ throws(LecternError) in
        let streams = try state.read(StreamTable.all(in: state.db)).map { StreamWrite(before: $0, after: nil) }
        let tokens = try state.read(TokenTable.all(in: state.db)).map { Write<TokenTable>(before: $0, after: nil) }
        let links = try state.read(LinkTable.all(in: state.db)).map { Write<LinkTable>(before: $0, after: nil) }
        // What was ended since the copy was made opens nothing again.
        let invitations = try state.read(InvitationTable.all(in: state.db)).map {
            Write<InvitationTable>(before: $0, after: nil)
        }
        let calendars = try state.read(CalendarTable.all(in: state.db)).map {
            Write<CalendarTable>(before: $0, after: nil)
        }
        return Decision(streams as [any Proposal] + links + invitations + calendars + tokens)
    }
}

extension Table {
    fileprivate static func all(in connection: Connection) throws(SQLiteError) -> [Row] {
        try connection.statement(once: "SELECT \(rows.columns) FROM \(rows.joins) ORDER BY \(rows.name).key").all(row)
    }
}

extension ReadConnection {
    /// How many tokens there are, of all readers.
    fileprivate func tokenCount() throws(LecternError) -> Int {
        Int(try query { db throws(SQLiteError) in try db.number("SELECT count(*) FROM tokens") } ?? 0)
    }
}

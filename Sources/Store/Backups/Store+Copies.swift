import CLinux
import CSQLite
import Glibc
import Model

/// Operations on the database of a data directory that no server has open.
extension Store {
    /// Copies the database to a new file and verifies it.
    package static func backUp(directory path: String, to file: String) throws(StoreError) -> Copied {
        let directory = DataDirectory(path: path)
        try directory.demandDatabase()
        let lock = try DirectoryLock(directory)
        defer { lock.release() }
        let copy = try DatabaseCopyFile.make(PartialFile.part(of: file), bytes: directory.bytes, spare: 0)
        do throws(StoreError) {
            let copied = try backUp(directory, to: copy)
            try copy.place(at: file)
            LastBackupFile(path: directory.lastBackup).write(.now)
            return copied
        } catch {
            copy.remove()
            throw error
        }
    }

    /// Verifies a database and passes a copy of it on as page records, which need no disk space. Returns the copy's
    /// last change and length.
    package static func backUp(
        directory path: String, to take: ([UInt8]) throws -> Void
    ) throws -> Copied {
        let directory = DataDirectory(path: path)
        try directory.demandDatabase()
        let lock = try DirectoryLock(directory)
        defer { lock.release() }
        TemporaryFiles(in: directory).clear()
        let connection = try opened(directory)
        let stream = PageRecordStream()
        var piece = 0
        func passOn() throws {
            while case .bytes(let bytes) = stream.piece(piece) {
                try take(bytes)
                piece += 1
            }
        }
        let findings = try IntegrityCheck.fileFindings(
            connection, version: connection.number("PRAGMA user_version") ?? 0)
        guard findings.isEmpty else { throw StoreError.damaged(directory: path, findings: findings) }
        let copy = try PagewiseDatabaseCopy(of: connection, to: stream)
        while try !copy.step(pages: 256) { try passOn() }
        stream.end(pageCount: copy.pageCount, seq: try connection.number("SELECT max(seq) FROM changes") ?? 0)
        try passOn()
        LastBackupFile(path: directory.lastBackup).write(.now)
        return Copied(seq: stream.seq ?? 0, bytes: stream.byteCount)
    }

    private static func backUp(_ directory: DataDirectory, to copy: DatabaseCopyFile) throws(StoreError) -> Copied {
        try copy.copy(of: try opened(directory))
        let seq = try copy.verify().seq
        return Copied(seq: seq, bytes: try copy.addDigest())
    }

    /// The last change and the length of a copy.
    package struct Copied: Sendable {
        package let seq: Int64
        package let bytes: Int64

        package init(seq: Int64, bytes: Int64) { (self.seq, self.bytes) = (seq, bytes) }
    }

    /// Frees the space of deleted rows: writes the database in order to another file, which replaces it in one step.
    /// The change log, and with it cursors and ETags, stays as it was.
    package static func compact(directory path: String) throws(StoreError) -> (before: Int64, after: Int64) {
        let directory = DataDirectory(path: path)
        try directory.demandDatabase()
        let lock = try DirectoryLock(directory)
        defer { lock.release() }
        TemporaryFiles(in: directory).clear()
        let before = directory.bytes
        let copy = try DatabaseCopyFile.make(directory.compact, bytes: before, spare: 0)
        do throws(StoreError) {
            let isAsItWas = try write(directory, lock, anewInto: copy)
            let bytes = try copy.verify().bytes
            guard directory.wasClosed else {
                throw .file(path: directory.log, reason: "another program has the database open")
            }
            try copy.rename(to: directory.database)
            if isAsItWas { CleanShutdownRecord.write(in: directory) }
            return (before, bytes)
        } catch {
            copy.remove()
            throw error
        }
    }

    /// Writes the compacted copy. If the source is the database that was served last, even after a crash, records the
    /// copy as that database. Returns whether it is.
    private static func write(
        _ directory: DataDirectory, _ lock: DirectoryLock, anewInto copy: DatabaseCopyFile
    ) throws(StoreError) -> Bool {
        let isAsLeft = CleanShutdownRecord.isAsLeft(directory)
        var isAsItWas = directory.wasClosed && isAsLeft == true
        do {
            let connection = try opened(directory, keepingLog: false)
            try StoreError.at(directory) { () throws(SQLiteError) in
                // A database of an older schema cannot be identified.
                if !isAsItWas, try connection.number("PRAGMA user_version") == DatabaseSchema.newest,
                    let file = DatabaseIdentity(path: directory.database)
                {
                    isAsItWas = try file.isServed(by: connection, lock, isAsLeft: isAsLeft)
                }
                try connection.statement(once: "VACUUM INTO ?1").bind(1, copy.path).run()
            }
        }
        if isAsItWas, let file = DatabaseIdentity(path: copy.path) {
            try StoreError.at(directory) { () throws(SQLiteError) in
                let connection = try Connection(path: copy.path, flags: SQLITE_OPEN_READWRITE)
                try connection.execute("PRAGMA journal_mode = MEMORY")
                try file.note(in: connection)
            }
        }
        try copy.seal()
        return isAsItWas
    }

    /// Opens a Lectern database of any known version. With `keepingLog`, the log is kept after a crash, so that the
    /// next start recognizes the crash.
    private static func opened(_ directory: DataDirectory, keepingLog: Bool = true) throws(StoreError) -> Connection {
        let wasClosed = directory.wasClosed
        let connection = try StoreError.at(directory) { () throws(SQLiteError) in
            try Connection(path: directory.database, flags: SQLITE_OPEN_READWRITE)
        }
        if keepingLog, !wasClosed { connection.keepLogAtClose() }
        guard try DatabaseSchema.version(of: connection, directory) > 0 else {
            throw .nothing(directory: directory.path)
        }
        return connection
    }
}

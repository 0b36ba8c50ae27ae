import CSQLite
import Glibc
import Model

/// What is done with the database of a directory that no server has open.
extension Store {
    /// Copies it into a file that is not there yet, and reads that through.
    package static func backUp(directory path: String, to file: String) throws(StoreError) -> Copied {
        let directory = DataDirectory(path: path)
        try directory.demandDatabase()
        let lock = try DirectoryLock(directory)
        defer { lock.release() }
        let connection = try opened(directory)
        let copy = try CopyFile.make(file + Backup.partSuffix, bytes: directory.bytes, spare: 0)
        do throws(StoreError) {
            try copy.copy(of: connection)
            let (seq, bytes) = try copy.verify()
            try copy.place(at: file)
            BackupMark(path: directory.lastBackup).write(.now)
            return Copied(seq: seq, bytes: bytes)
        } catch {
            copy.remove()
            throw error
        }
    }

    /// What a copy is: up to which change, and how long.
    package struct Copied: Sendable {
        package let seq: Int64
        package let bytes: Int64
    }

    /// Gives the room back that what was deleted had: writes the database anew, in order, into another file, and puts that into its
    /// place at once. The log, and so cursors and tags, are as before.
    package static func compact(directory path: String) throws(StoreError) -> (before: Int64, after: Int64) {
        let directory = DataDirectory(path: path)
        try directory.demandDatabase()
        let lock = try DirectoryLock(directory)
        defer { lock.release() }
        let isAsItWas = directory.wasClosed && lock.ended == ServedFile.changeTime(path: directory.database)
        let before = directory.bytes
        let name = directory.path + "/compact" + Backup.partSuffix
        unlink(name)
        let copy = try CopyFile.make(name, bytes: before, spare: 0)
        do throws(StoreError) {
            try write(directory, anewInto: copy, isAsItWas: isAsItWas)
            let bytes = try copy.verify().bytes
            guard directory.wasClosed else {
                throw .file(path: directory.log, reason: "another program has the database open")
            }
            try copy.rename(to: directory.database)
            if isAsItWas, let changed = ServedFile.changeTime(path: directory.database) {
                lock.noteEnd(changed: changed)
            }
            return (before, bytes)
        } catch {
            copy.remove()
            throw error
        }
    }

    /// Where it is the very file that was served last the new one is, too.
    private static func write(
        _ directory: DataDirectory, anewInto copy: CopyFile, isAsItWas: Bool
    ) throws(StoreError) {
        do {
            let connection = try opened(directory, keepingLog: false)
            try StoreError.at(directory) { () throws(SQLiteError) in
                _ = try connection.statement(once: "VACUUM INTO ?1").bind(1, copy.path).step()
            }
        }
        guard isAsItWas, let file = ServedFile(path: copy.path) else { return try copy.seal() }
        try StoreError.at(directory) { () throws(SQLiteError) in
            let connection = try Connection(path: copy.path, flags: SQLITE_OPEN_READWRITE)
            try connection.execute("PRAGMA journal_mode = MEMORY")
            try file.note(in: connection)
        }
        try copy.seal()
    }

    /// A connection to a database of this program's, of whatever version it knows. Whoever starts next must know that the last end
    /// was none: then the log stays.
    private static func opened(_ directory: DataDirectory, keepingLog: Bool = true) throws(StoreError) -> Connection {
        let wasClosed = directory.wasClosed
        let connection = try StoreError.at(directory) { () throws(SQLiteError) in
            try Connection(path: directory.database, flags: SQLITE_OPEN_READWRITE)
        }
        if keepingLog, !wasClosed { connection.keepLogAtClose() }
        guard try Schema.version(of: connection, directory) > 0 else { throw .nothing(directory: directory.path) }
        return connection
    }
}

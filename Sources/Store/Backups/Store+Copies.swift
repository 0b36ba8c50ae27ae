import Glibc
import Model

/// Copies of a data directory's database by commands of the program.
extension Store {
    /// Copies the database to a new file and verifies it. A server may run on the directory: then this process reads
    /// beside it.
    package static func backUp(directory path: String, to file: String) throws(StoreError) -> DatabaseCopyFile.Content {
        let (copy, content) = try copy(DataDirectory(path: path), as: file)
        try copy.finish(as: file, replacing: false)
        return content
    }

    /// Copies and verifies the database, and passes the bytes of the copy to `take`. The copy is a file without a name
    /// in `TMPDIR` or, without that variable, in the data directory.
    package static func backUp(
        directory path: String, to take: (UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) -> DatabaseCopyFile.Content {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? path
        let name = "\(folder)/\(DataDirectory.temporary)\(getpid())"
        let (copy, content) = try copy(DataDirectory(path: path), as: name, isUnnamed: true)
        try copy.read(take)
        return content
    }

    /// Copies the database of a directory, which a server may have open, to a file with a temporary name or without one.
    /// The directory is locked only while its database is opened and closed, so that a server can start meanwhile.
    private static func copy(
        _ directory: DataDirectory, as name: String, isUnnamed: Bool = false
    ) throws(StoreError) -> (DatabaseCopyFile, DatabaseCopyFile.Content) {
        try directory.demandDatabase()
        var lock: DirectoryLock?
        do throws(StoreError) { lock = try DirectoryLock(directory) } catch {
            guard case .inUse = error else { throw error }
        }
        defer { lock?.release() }
        if lock != nil { directory.clearTemporaryFiles() }
        let source = try directory.opened(isServed: lock == nil).connection
        lock?.release()
        defer {
            // Only the writer of a log checkpoints it. Without a lock this is a server that runs now.
            lock = lock == nil ? nil : try? DirectoryLock(directory)
            if lock == nil || DataDirectory.size(directory.log) ?? 0 > 0 { source.keepLogAtClose() }
        }
        let copy = try DatabaseCopyFile(for: name)
        if isUnnamed { try copy.removeName() }
        return (copy, try copy.fill(from: source, of: directory.bytes, spare: 0))
    }

    /// Frees the space of deleted rows: SQLite writes the database in order to a temporary file, and back in one
    /// transaction. The change log, and with it cursors and ETags, stays as it was.
    package static func compact(directory path: String) throws(StoreError) -> (before: Int64, after: Int64) {
        let directory = DataDirectory(path: path)
        try directory.demandDatabase()
        let lock = try DirectoryLock(directory)
        defer { lock.release() }
        directory.clearTemporaryFiles()
        let before = directory.bytes
        // After a write by another program the record stays, so that the next start notices the write.
        let isAsLeft = CleanShutdownRecord.isAsLeft(directory) == true
        if isAsLeft { try CleanShutdownRecord.remove(in: directory) }
        try vacuum(directory)
        if isAsLeft { CleanShutdownRecord.write(in: directory) }
        return (before, directory.bytes)
    }

    /// Runs `VACUUM` on a sound database, and copies the write-ahead log into the database.
    private static func vacuum(_ directory: DataDirectory) throws(StoreError) {
        let (connection, version) = try directory.opened(keepingLog: false)
        let findings = try StoreError.at(directory) { () throws(SQLiteError) in
            let findings = try IntegrityCheck.fileFindings(connection, version: version)
            if findings.isEmpty { try connection.execute("VACUUM") }
            return findings
        }
        guard findings.isEmpty else { throw .damaged(directory: directory.path, findings: findings) }
    }
}

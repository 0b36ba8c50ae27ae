import CLinux
import CSQLite
import Glibc

/// A copy that becomes a complete database without a write-ahead log.
package final class DatabaseCopyFile: PartialFile {
    /// The connections that check and write the copy, if the file has no name by which SQLite could open it.
    private var connections: [SQLiteConnection] = []

    /// Removes the name of the empty file. So nothing remains of the copy when the process ends, however it ends.
    func removeName() throws(StoreError) {
        do throws(SQLiteError) {
            for flags in [SQLITE_OPEN_READONLY, SQLITE_OPEN_READWRITE] {
                connections.append(try SQLiteConnection(path: path, flags: flags))
            }
        } catch {
            throw .file(path: path, reason: "\(error.message) (SQLite error \(error.code))")
        }
        guard unlink(path) == 0 else { throw .system(path) }
    }

    /// Returns a connection to the file, for one use.
    func connection(_ flags: Int32) throws(SQLiteError) -> SQLiteConnection {
        if let opened = connections.popLast() { return opened }
        return try SQLiteConnection(path: path, flags: flags)
    }

    /// The last change of the log and the length of a copy.
    package struct Content: Sendable {
        package let seq: Int64
        package let bytes: Int64
    }

    /// Writes a verified copy of a database of a length, followed by its digest, to the empty file. Throws unless `spare`
    /// bytes remain free on the disk. `pause` is called after each step, and cancels the copy by returning `false`;
    /// `onCopied` is called before the copy is verified. `rowLog` is the id of the row log that begins with the copy.
    func fill(
        from source: SQLiteConnection, of bytes: Int64, spare: Int64, rowLog: String? = nil,
        pause: @escaping () -> Bool = { true }, onCopied: () -> Void = {}
    ) throws(StoreError) -> Content {
        try reserve(bytes, spare: spare)
        try copy(of: source, pause: pause)
        onCopied()
        return Content(seq: try verify(isWanted: pause), bytes: try addDigest(rowLog: rowLog, rest: pause))
    }

    /// Reserves disk space for the empty file. Throws unless `spare` bytes remain free on the disk.
    private func reserve(_ bytes: Int64, spare: Int64) throws(StoreError) {
        let folder = DataDirectory.folder(of: path)
        guard let room = FreeDiskSpace.free(at: folder) else { throw .system(folder) }
        guard room - bytes >= spare else {
            throw .file(
                path: path,
                reason: "the disk has \(room) bytes free; the copy needs \(bytes), and \(spare) must stay free")
        }
        // Other file systems cannot reserve space.
        let code = clinux_reserve(descriptor, bytes)
        if code == ENOSPC || code == EDQUOT { throw .system(path, code) }
    }

    /// Completes the database after all pages were written: sets bytes 18 and 19 of the header to 1, so that SQLite does
    /// not open it in WAL mode, which would need further files, and frees the rest of the reserved space.
    func seal() throws(StoreError) {
        var state = stat()
        guard pwrite(descriptor, [1, 1] as [UInt8], 2, 18) == 2, fstat(descriptor, &state) == 0,
            ftruncate(descriptor, state.st_size) == 0
        else { throw .system(path) }
    }

    /// Checks that the file is a sound Lectern database. Returns the last change in its log.
    func verify(isWanted: @escaping () -> Bool = { true }) throws(StoreError) -> Int64 {
        do throws(SQLiteError) {
            let connection = try connection(SQLITE_OPEN_READONLY)
            connection.interrupt(unless: isWanted)
            return try check(connection)
        } catch {
            throw .file(path: path, reason: "cannot read the copy: \(error.message) (SQLite error \(error.code))")
        }
    }

    private func check(_ connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        let version = try connection.number("PRAGMA user_version") ?? 0
        let findings = try IntegrityCheck.fileFindings(connection, version: version)
        guard findings.isEmpty else {
            throw SQLiteError(code: SQLITE_CORRUPT, message: findings.prefix(3).joined(separator: "; "))
        }
        return try connection.number("SELECT max(seq) FROM changes") ?? 0
    }
}

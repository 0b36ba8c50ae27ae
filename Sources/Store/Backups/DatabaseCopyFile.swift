import CLinux
import CSQLite
import Glibc

/// The file of a copy that becomes a complete database without a write-ahead log. A file that it created is removed with
/// it, unless it got its final name.
final class DatabaseCopyFile {
    let path: String
    private var isUnfinished = false
    /// The connections that check and write the copy, if the file has no name by which SQLite could open it.
    private var connections: [SQLiteConnection] = []

    init(path: String) { self.path = path }

    /// Creates a copy in an empty file, and removes the file's name. So nothing remains of the copy when the process
    /// ends, however it ends.
    init(unnaming file: PartialFile) throws(StoreError) {
        // SQLite opens files only by their names.
        path = "/proc/self/fd/\(file.descriptor)"
        do throws(SQLiteError) {
            for flags in [SQLITE_OPEN_READONLY, SQLITE_OPEN_READWRITE] {
                connections.append(try SQLiteConnection(path: file.part, flags: flags))
            }
        } catch {
            throw .file(path: file.part, reason: "\(error.message) (SQLite error \(error.code))")
        }
        guard unlink(file.part) == 0 else { throw .file(path: file.part, reason: DataDirectory.reason()) }
    }

    /// Creates the empty file, accessible only to its owner, and reserves its space. Only one process may do that for a
    /// path.
    init(creating path: String, bytes: Int64, spare: Int64) throws(StoreError) {
        self.path = path
        let descriptor = try PartialFile.create(path)
        isUnfinished = true
        // Closing loses nothing, because nothing was written.
        defer { close(descriptor) }
        try reserve(bytes, spare: spare, descriptor)
    }

    deinit {
        // The remains are removed with the temporary files of killed processes.
        if isUnfinished { unlink(path) }
    }

    /// Returns a connection to the file, for one use.
    func connection(_ flags: Int32) throws(SQLiteError) -> SQLiteConnection {
        if let opened = connections.popLast() { return opened }
        return try SQLiteConnection(path: path, flags: flags)
    }

    /// Reserves disk space for the empty file. Throws unless `spare` bytes remain free on the disk.
    func reserve(_ bytes: Int64, spare: Int64, _ descriptor: Int32) throws(StoreError) {
        let folder = DataDirectory.folder(of: path)
        guard let room = FreeDiskSpace.free(at: folder) else {
            throw .file(path: folder, reason: DataDirectory.reason())
        }
        guard room - bytes >= spare else {
            throw .file(
                path: path,
                reason: "the disk has \(room) bytes free; the copy needs \(bytes), and \(spare) must stay free")
        }
        // Other file systems cannot reserve space.
        let code = clinux_reserve(descriptor, bytes)
        if code == ENOSPC || code == EDQUOT { throw .file(path: path, reason: String(cString: strerror(code))) }
    }

    /// Finishes the file after all pages were written, and syncs it. Sets bytes 18 and 19 of the header to 1, so that
    /// SQLite does not open it in WAL mode, which would need further files.
    func seal() throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file(path: path, reason: DataDirectory.reason()) }
        // The file was synced before, or is discarded.
        defer { close(descriptor) }
        var state = stat()
        guard pwrite(descriptor, [1, 1] as [UInt8], 2, 18) == 2, fstat(descriptor, &state) == 0,
            ftruncate(descriptor, state.st_size) == 0, fsync(descriptor) == 0
        else { throw .file(path: path, reason: DataDirectory.reason()) }
    }

    /// Checks that the file is a sound Lectern database. Returns the last change in its log and its length.
    func verify(isWanted: @escaping () -> Bool = { true }) throws(StoreError) -> (seq: Int64, bytes: Int64) {
        do throws(SQLiteError) {
            let connection = try connection(SQLITE_OPEN_READONLY)
            connection.interrupt(unless: isWanted)
            return try check(connection)
        } catch {
            throw .file(path: path, reason: "cannot read the copy: \(error.message) (SQLite error \(error.code))")
        }
    }

    private func check(_ connection: SQLiteConnection) throws(SQLiteError) -> (seq: Int64, bytes: Int64) {
        let version = try connection.number("PRAGMA user_version") ?? 0
        let findings = try IntegrityCheck.fileFindings(connection, version: version)
        guard findings.isEmpty else {
            throw SQLiteError(code: SQLITE_CORRUPT, message: findings.prefix(3).joined(separator: "; "))
        }
        let pages = try connection.number("PRAGMA page_count") ?? 0
        return (
            try connection.number("SELECT max(seq) FROM changes") ?? 0,
            pages * (try connection.number("PRAGMA page_size") ?? 0)
        )
    }

    /// Renames the file durably, and replaces an existing file.
    func rename(to name: String) throws(StoreError) {
        guard Glibc.rename(path, name) == 0 else { throw .file(path: name, reason: DataDirectory.reason()) }
        isUnfinished = false
        try DataDirectory.sync(folderOf: name)
    }

    /// Renames the file durably, and throws if the name is in use.
    func place(at name: String) throws(StoreError) {
        // Some file systems do not support hard links.
        if link(path, name) == 0 {
            // The copy is complete under its final name. The other name is removed with the temporary files of killed
            // processes.
            unlink(path)
            try DataDirectory.sync(folderOf: name)
        } else if errno == EPERM || errno == ENOTSUP, access(name, F_OK) != 0 {
            try rename(to: name)
        } else {
            throw .file(path: name, reason: DataDirectory.reason())
        }
    }
}

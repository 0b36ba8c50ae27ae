import CLinux
import CSQLite
import Glibc

/// The paths of the files in a data directory, and checks that need no open file.
struct DataDirectory {
    let path: String
    var database: String { path + "/lectern.sqlite" }
    var log: String { database + "-wal" }
    var index: String { database + "-shm" }
    var lock: String { path + "/lectern.lock" }
    /// The record of the last clean end.
    var end: String { path + "/lectern.end" }
    var ballast: String { path + "/ballast" }
    /// The directory of the copies from before upgrades, and of backups unless another directory is set.
    var backups: String { path + "/backups" }
    /// The directory of a restore in progress.
    var restoring: String { path + "/restoring" }
    /// The beginning of the names of temporary files: of exports, and of copies for standard output.
    static let temporary = "lectern-temporary-"

    /// Creates the directory, accessible only to its owner, if it is missing. Returns whether it did.
    @discardableResult
    func make() throws(StoreError) -> Bool {
        if mkdir(path, 0o700) == 0 { return true }
        guard errno == EEXIST else { throw .system(path) }
        return false
    }

    /// Returns a Boolean value indicating whether there is a database. Throws `lost` if it is missing but other files
    /// show that there was one: a new database would hide the loss of acknowledged data.
    func hasDatabase() throws(StoreError) -> Bool {
        if let found = Self.status(database) {
            guard found.st_mode & S_IFMT == S_IFREG else { throw .file(path: database, reason: "is not a file") }
            if found.st_size > 0 { return true }
        } else if errno != ENOENT {
            throw .system(database)
        }
        let remains =
            [log, ballast].filter { Self.status($0) != nil } + [lock].filter { Self.size($0) ?? 0 > 0 }
        guard remains.isEmpty else { throw .lost(directory: path, remains: remains) }
        return false
    }

    /// Throws an error that says how to get a database if there is none.
    func demandDatabase() throws(StoreError) {
        guard try hasDatabase() else { throw .nothing(directory: path) }
    }

    /// A Boolean value indicating whether the last process closed the database, in which case SQLite has removed the
    /// log.
    var wasClosed: Bool { Self.status(log) == nil }

    /// The size of the database and its log in bytes.
    var bytes: Int64 { [database, log].reduce(0) { $0 + (Self.size($1) ?? 0) } }

    /// Updates the counters of the disk's usage. A size that cannot be read keeps its last value.
    func recordUsage(in counters: StoreCounters) {
        if let bytes = Self.size(database) { counters.set(.databaseBytes, Int(bytes)) }
        counters.set(.walBytes, Int(Self.size(log) ?? 0))
        if let free = FreeDiskSpace.free(at: path) { counters.set(.diskBytesFree, Int(clamping: free)) }
    }

    /// Syncs a file, or a directory, so that its names are durable: a synced file without a durable name is lost. Does
    /// nothing if the file system does not sync it, or if this user may not read it.
    static func sync(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0, errno == EACCES { return }
        guard descriptor >= 0 else { throw .system(path) }
        // The descriptor was only read from, so closing it loses nothing.
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || [EINVAL, ENOTSUP, EROFS].contains(errno) else { throw .system(path) }
    }

    /// Syncs the directory of a file.
    static func sync(folderOf path: String) throws(StoreError) { try sync(folder(of: path)) }

    /// Returns the directory of a file.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    /// Returns the names in a directory, or none if it does not exist.
    static func names(in directory: String) -> [String] {
        guard let folder = opendir(directory) else { return [] }
        // The descriptor was only read from, so closing it loses nothing.
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Returns the state of a file, or `nil` if it cannot be read.
    static func status(_ path: String) -> stat? {
        var found = stat()
        return stat(path, &found) == 0 ? found : nil
    }

    /// Returns the inode, device and birth time of a file, or `nil` if there is no such file.
    static func identity(_ path: String) -> clinux_file? {
        var file = clinux_file()
        return clinux_identify(path, &file) == 0 ? file : nil
    }

    /// Returns the size of a file in bytes, or `nil` if it cannot be read.
    static func size(_ path: String) -> Int64? { status(path).map { Int64($0.st_size) } }

    /// Returns the words of a file of a single short line, or `nil` if it cannot be read.
    static func words(in path: String) -> [Substring]? {
        let descriptor = clinux_open_plain(path)
        guard descriptor >= 0 else { return nil }
        // The descriptor was only read from, so closing it loses nothing.
        defer { close(descriptor) }
        return words(in: descriptor)
    }

    /// Returns the words of an open file of a single short line.
    static func words(in descriptor: Int32) -> [Substring] {
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = max(0, pread(descriptor, &bytes, bytes.count, 0))
        return String(decoding: bytes.prefix(count), as: UTF8.self).split { $0 == " " || $0 == "\n" }
    }

    /// Returns the system's message for the last failed call.
    static func reason() -> String { String(cString: strerror(errno)) }

    /// Removes the temporary files of killed processes from a directory that no other process uses. They are copies of the
    /// whole database, including the words of readers who have left since.
    func clearTemporaryFiles() {
        // A file that cannot be removed is tried again at the next start.
        for name in Self.names(in: path) where name.hasPrefix(Self.temporary) { unlink(path + "/" + name) }
        for name in Self.names(in: restoring) { unlink(restoring + "/" + name) }
        // A directory that cannot be removed is tried again, too.
        rmdir(restoring)
    }

    /// Opens a Lectern database of any known version, only for reading if a server has it open. Returns its version, too.
    /// With `keepingLog`, the log is kept after a crash, so that the next start recognizes the crash.
    func opened(
        isServed: Bool = false, keepingLog: Bool = true
    ) throws(StoreError) -> (connection: SQLiteConnection, version: Int64) {
        let keepsLog = keepingLog && !wasClosed
        let connection = try StoreError.at(self) { () throws(SQLiteError) in
            try SQLiteConnection(path: database, flags: isServed ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
        }
        if keepsLog { connection.keepLogAtClose() }
        let version = try DatabaseSchema.version(of: connection, self)
        guard version > 0 else { throw .nothing(directory: path) }
        return (connection, version)
    }
}

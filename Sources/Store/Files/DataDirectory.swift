import Glibc

/// The names in a data directory, and what can be said of them before any file is opened.
struct DataDirectory {
    let path: String
    var database: String { path + "/lectern.sqlite" }
    var log: String { database + "-wal" }
    var index: String { database + "-shm" }
    var lock: String { path + "/lectern.lock" }
    /// The record of the last clean end.
    var end: String { path + "/lectern.end" }
    var ballast: String { path + "/ballast" }
    /// Where copies are made before the schema becomes another, and backups where no other place is said.
    var backups: String { path + "/backups" }
    var lastBackup: String { path + "/last-backup" }
    /// What a database is called while it is written anew, where a backup becomes one, and what a copy that an earlier version passed on was
    /// called.
    var compact: String { path + "/compact" + Backup.partSuffix }
    var restoring: String { path + "/restoring" }
    var passing: String { path + "/standard-output" }

    /// Makes the directory, which only its owner may enter, where it is missing; whether it was.
    @discardableResult
    func make() throws(StoreError) -> Bool {
        if mkdir(path, 0o700) == 0 { return true }
        guard errno == EEXIST else { throw .file(path: path, reason: Self.reason()) }
        return false
    }

    /// Whether there is a database. Throws `lost` when there is none although there was one: whoever made another in its
    /// place would hide that what was acknowledged is gone.
    func hasDatabase() throws(StoreError) -> Bool {
        if let found = Self.look(database) {
            guard found.st_mode & S_IFMT == S_IFREG else { throw .file(path: database, reason: "is not a file") }
            if found.st_size > 0 { return true }
        }
        let remains =
            [log, ballast].filter { Self.look($0) != nil } + [lock].filter { Self.look($0)?.st_size ?? 0 > 0 }
        guard remains.isEmpty else { throw .lost(directory: path, remains: remains) }
        return false
    }

    /// A database, or an error that says how to get one.
    func demandDatabase() throws(StoreError) {
        guard try hasDatabase() else { throw .nothing(directory: path) }
    }

    /// Whether the last one who had the database open closed it: then SQLite takes the log away.
    var wasClosed: Bool { Self.look(log) == nil }

    /// The length of the database with its log.
    var bytes: Int64 { [database, log].reduce(0) { $0 + Int64(Self.look($1)?.st_size ?? 0) } }

    /// Makes the names in a directory durable: a file that is on disk under no name is lost all the same. Does nothing where that
    /// cannot be asked for: on a file system that does not sync directories, and of a directory that this user may not read.
    static func sync(_ directory: String) throws(StoreError) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0, errno == EACCES { return }
        guard descriptor >= 0 else { throw .file(path: directory, reason: Self.reason()) }
        // The descriptor was only read from, so closing it loses nothing.
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || [EINVAL, ENOTSUP, EROFS].contains(errno) else {
            throw .file(path: directory, reason: Self.reason())
        }
    }

    /// The same of the directory that a file is in.
    static func sync(folderOf path: String) throws(StoreError) { try sync(folder(of: path)) }

    /// The directory that a file is in.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    /// What is in a directory; nothing where there is none.
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

    private static func look(_ path: String) -> stat? {
        var found = stat()
        return stat(path, &found) == 0 ? found : nil
    }

    /// What the system says of the call that failed last.
    static func reason() -> String { String(cString: strerror(errno)) }
}

import CLinux

/// The files that SQLite has open, and the lock, by the names that they had: under a name that leads elsewhere nobody will find
/// again what is written, and a lock that nobody finds keeps nobody out.
struct OpenFiles {
    private let files: [(path: String, file: clinux_file?)]

    /// The files of a database that has been read from, so that all of them are there.
    init(_ directory: DataDirectory) {
        files = [directory.database, directory.log, directory.index, directory.lock].map { ($0, Self.identify($0)) }
    }

    /// Whether the database itself is where it was.
    var isDatabaseThere: Bool { files.first.map(Self.isThere) ?? false }

    /// The first file that is no longer where it was; nil when all are.
    func firstLost() -> String? {
        files.first { !Self.isThere($0) }?.path
    }

    private static func isThere(_ known: (path: String, file: clinux_file?)) -> Bool {
        let found = identify(known.path)
        return found?.inode == known.file?.inode && found?.device == known.file?.device
    }

    private static func identify(_ path: String) -> clinux_file? {
        var file = clinux_file()
        return clinux_identify(path, &file) == 0 ? file : nil
    }
}

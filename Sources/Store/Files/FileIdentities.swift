import CLinux

/// The identities of SQLite's open files and the lock file. If a file was replaced, its data cannot be found again
/// under its name, and a lost lock file locks nobody out.
struct FileIdentities {
    private let files: [(path: String, file: clinux_file?)]

    /// Records the files of a database that has been read from, so that all of them exist.
    init(_ directory: DataDirectory) {
        files = [directory.database, directory.log, directory.index, directory.lock].map {
            ($0, DataDirectory.identity($0))
        }
    }

    /// A Boolean value indicating whether the database file is still in place.
    var isDatabaseThere: Bool { files.first.map(Self.isThere) ?? false }

    /// Returns the path of the first file that is no longer in place, or `nil`.
    func firstLost() -> String? {
        files.first { !Self.isThere($0) }?.path
    }

    private static func isThere(_ known: (path: String, file: clinux_file?)) -> Bool {
        let found = DataDirectory.identity(known.path)
        return found?.inode == known.file?.inode && found?.device == known.file?.device
    }
}

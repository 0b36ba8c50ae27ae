import Glibc

/// What whoever was killed left in a data directory: copies on their way. Each holds everything, also the words of who left since.
struct Leavings {
    private let directory: DataDirectory

    /// Of a directory that nobody else has.
    init(in directory: DataDirectory) { self.directory = directory }

    /// Takes them away.
    func clear() {
        // A file that cannot be removed is tried again at the next start.
        for name in DataDirectory.names(in: directory.path) where isOne(name) { unlink(directory.path + "/" + name) }
        for name in DataDirectory.names(in: directory.restoring) { unlink(directory.restoring + "/" + name) }
        rmdir(directory.restoring)
    }

    private func isOne(_ name: String) -> Bool {
        if [directory.compact, directory.passing].contains(where: { (directory.path + "/" + name).hasPrefix($0) }) {
            return true
        }
        // An export's file has no name but at first, when nothing is in it.
        var found = stat()
        return name.hasPrefix("export-") && name.utf8.count == "export-XXXXXX".utf8.count
            && lstat(directory.path + "/" + name, &found) == 0 && found.st_size == 0
    }
}

import Glibc

/// The temporary files of killed processes in a data directory. They are copies of the whole database, including the
/// words of readers who have left since.
struct TemporaryFiles {
    private let directory: DataDirectory

    /// Creates a list for a directory that no other process uses.
    init(in directory: DataDirectory) { self.directory = directory }

    /// Removes the files.
    func clear() {
        // A file that cannot be removed is tried again at the next start.
        for name in DataDirectory.names(in: directory.path) where isOne(name) { unlink(directory.path + "/" + name) }
        for name in DataDirectory.names(in: directory.restoring) { unlink(directory.restoring + "/" + name) }
        rmdir(directory.restoring)
    }

    private func isOne(_ name: String) -> Bool {
        if name.hasPrefix(DataDirectory.passing) || (directory.path + "/" + name).hasPrefix(directory.compact) {
            return true
        }
        // An export's file is unlinked while it is still empty.
        var found = stat()
        return name.hasPrefix("export-") && name.utf8.count == "export-XXXXXX".utf8.count
            && lstat(directory.path + "/" + name, &found) == 0 && found.st_size == 0
    }
}

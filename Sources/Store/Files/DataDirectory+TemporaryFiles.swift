import Glibc

/// The temporary files of killed processes in a data directory. They are copies of the whole database, including the
/// words of readers who have left since.
extension DataDirectory {
    /// Removes the temporary files from a directory that no other process uses.
    func clearTemporaryFiles() {
        // A file that cannot be removed is tried again at the next start.
        for name in Self.names(in: path) where isTemporary(name) { unlink(path + "/" + name) }
        for name in Self.names(in: restoring) { unlink(restoring + "/" + name) }
        // A directory that cannot be removed is tried again, too.
        rmdir(restoring)
    }

    private func isTemporary(_ name: String) -> Bool {
        if name.hasPrefix(Self.passing) { return true }
        // An export's file is unlinked while it is still empty.
        var found = stat()
        return name.hasPrefix("export-") && name.utf8.count == "export-XXXXXX".utf8.count
            && lstat(path + "/" + name, &found) == 0 && found.st_size == 0
    }
}

import Glibc

/// The temporary files of killed processes in a data directory. They are copies of the whole database, including the
/// words of readers who have left since.
extension DataDirectory {
    /// Removes the temporary files from a directory that no other process uses.
    func clearTemporaryFiles() {
        // A file that cannot be removed is tried again at the next start.
        for name in Self.names(in: path) where name.hasPrefix(Self.temporary) { unlink(path + "/" + name) }
        for name in Self.names(in: restoring) { unlink(restoring + "/" + name) }
        // A directory that cannot be removed is tried again, too.
        rmdir(restoring)
    }
}

import CLinux
import Glibc
import Model

/// The directory with the backups, whose file names describe them.
struct BackupDirectory {
    let path: String

    func path(of name: String) -> String { path + "/" + name }

    /// Creates the directory if it is missing. Only its owner can access it.
    func make() throws(StoreError) {
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw .system(path) }
        clinux_give_to_folder(path)
        try DataDirectory.sync(folderOf: path)
    }

    /// Returns the reason why no backup can be made in the directory, or `nil`.
    func problem() -> String? {
        do throws(StoreError) { try make() } catch { return "\(error)" }
        return access(path, R_OK | W_OK | X_OK) == 0 ? nil : "\(StoreError.system(path))"
    }

    /// Returns the finished backups, oldest first.
    func backups() -> [Backup] {
        DataDirectory.names(in: path).compactMap { name in
            var found = stat()
            guard lstat(path(of: name), &found) == 0, found.st_mode & S_IFMT == S_IFREG else { return nil }
            return Backup(file: name, bytes: Int64(found.st_size))
        }.sorted { $0.id < $1.id }
    }

    /// Removes the unfinished backups that a killed process left.
    func clear() {
        for name in DataDirectory.names(in: path) {
            let isPart =
                BackupKind.allCases.contains { name.hasPrefix($0.rawValue + "-") }
                && name.hasSuffix(Backup.partSuffix)
            // A file that cannot be removed is tried again at the next start.
            if isPart { unlink(path(of: name)) }
        }
    }

    /// Removes the oldest backups of a kind beyond `countMax`. Returns those that were removed. The next backup retries
    /// failed removals.
    @discardableResult
    func prune(_ kind: BackupKind, keeping countMax: Int) -> [Backup] {
        let there = backups().filter { $0.kind == kind }
        let old = Array(there.prefix(max(0, there.count - countMax)))
        return old.filter { unlink(path(of: $0.file)) == 0 || errno == ENOENT }
    }
}

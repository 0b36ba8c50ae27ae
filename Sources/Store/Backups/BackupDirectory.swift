import CLinux
import Glibc
import Model

/// The directory with the backups, whose file names describe them.
struct BackupDirectory {
    let path: String

    func path(of name: String) -> String { path + "/" + name }

    /// Creates the directory if it is missing. Only its owner can access it.
    func make() throws(StoreError) {
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw .file(path: path, reason: DataDirectory.reason()) }
        clinux_give_to_folder(path)
        try DataDirectory.sync(folderOf: path)
    }

    /// Returns the reason why no backup can be made in the directory, or `nil`.
    func problem() -> String? {
        do throws(StoreError) { try make() } catch { return "\(error)" }
        return access(path, R_OK | W_OK | X_OK) == 0
            ? nil : "\(StoreError.file(path: path, reason: DataDirectory.reason()))"
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

    /// Removes a backup. On failure returns `false`, and `errno` has the reason.
    @discardableResult
    func remove(_ backup: Backup) -> Bool { unlink(path(of: backup.file)) == 0 || errno == ENOENT }

    /// Removes the oldest backups of a kind beyond `countMax`, of those that the operator's command refused or of all
    /// others. Returns those that were removed. The next backup retries failed removals.
    @discardableResult
    func prune(_ kind: BackupKind, areRefused: Bool = false, keeping countMax: Int) -> [Backup] {
        let there = backups().filter { $0.kind == kind && $0.isRefused == areRefused }
        let old = Array(there.prefix(max(0, there.count - countMax)))
        return old.filter { remove($0) }
    }
}

extension Backup {
    /// Returns the backup as refused by the operator's command, and renames its file.
    func refused(in folder: BackupDirectory) -> Backup {
        let new = refused
        // With its old name, the next start with a command renames it.
        return rename(folder.path(of: file), folder.path(of: new.file)) == 0 ? new : self
    }
}

/// The time and the id of the last successful backup. Its file is beside the database; inside the database, a restore
/// would bring back old ones. It is not synced: without it, a backup is repeated too early.
struct LastGoodBackup {
    let at: Instant
    /// The id of the last backup that a server made, or `-` if no server has made one.
    let id: String

    init(at: Instant, id: String) { (self.at, self.id) = (at, id) }

    /// Reads the file, and returns `nil` if there is none.
    init?(of directory: DataDirectory) {
        guard let words = DataDirectory.words(in: directory.lastBackup), words.count == 2,
            let time = Instant(String(words[0]))
        else { return nil }
        self.init(at: time, id: String(words[1]))
    }

    func write(in directory: DataDirectory) {
        let descriptor = open(directory.lastBackup, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        // If the time is not stored, the names of the backups say when the last one was made.
        defer { close(descriptor) }
        clinux_give_to_folder(directory.lastBackup)
        // A failed write leaves the names, too. A later text is not shorter.
        _ = "\(at) \(id)\n".withCString { pwrite(descriptor, $0, strlen($0), 0) }
    }
}

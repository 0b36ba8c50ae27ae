import CLinux
import Glibc
import Model

/// Where backups lie, by the names that say what they are.
struct BackupFolder {
    let path: String

    func path(of name: String) -> String { path + "/" + name }

    /// Makes it, which only its owner may enter, where it is missing.
    func make() throws(StoreError) {
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw .file(path: path, reason: DataDirectory.reason()) }
        clinux_give_to_folder(path)
        try DataDirectory.sync(folderOf: path)
    }

    /// Why no backup can be made in it; `nil` when one can.
    func problem() -> String? {
        do throws(StoreError) { try make() } catch { return "\(error)" }
        return access(path, R_OK | W_OK | X_OK) == 0
            ? nil : "\(StoreError.file(path: path, reason: DataDirectory.reason()))"
    }

    /// The whole ones, the oldest first.
    func backups() -> [Backup] {
        DataDirectory.names(in: path).compactMap { name in
            var found = stat()
            guard lstat(path(of: name), &found) == 0, found.st_mode & S_IFMT == S_IFREG else { return nil }
            return Backup(file: name, bytes: Int64(found.st_size))
        }.sorted { $0.id < $1.id }
    }

    /// Takes away what a process that was killed left behind: what is not whole, and what was to be fetched from it.
    func clear() {
        for name in DataDirectory.names(in: path) {
            let isPart =
                Backup.Kind.allCases.contains { name.hasPrefix($0.rawValue + "-") }
                && name.hasSuffix(Backup.partSuffix)
            // A file that cannot be removed is tried again at the next start.
            if isPart || Backup(file: name, bytes: 0)?.kind == .fetched { unlink(path(of: name)) }
        }
    }

    /// Takes one away; false where it is still there, and `errno` says why.
    @discardableResult
    func remove(_ backup: Backup) -> Bool { unlink(path(of: backup.file)) == 0 || errno == ENOENT }

    /// Takes the oldest of a kind away, but for so many. Which went: one that did not is tried again after the next backup.
    @discardableResult
    func prune(_ kind: Backup.Kind, keeping countMax: Int) -> [Backup] {
        let there = backups().filter { $0.kind == kind }
        let old = Array(there.prefix(max(0, there.count - countMax)))
        return old.filter { remove($0) }
    }
}

/// When the last good backup was made, kept beside the database: what is in that would come back with a restore. A word for who looks,
/// so it is not synced.
struct BackupMark {
    let path: String

    func read() -> Instant? {
        let descriptor = clinux_open_plain(path)
        guard descriptor >= 0 else { return nil }
        // The descriptor was only read from, so closing it loses nothing.
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 40)
        let count = max(0, Glibc.read(descriptor, &bytes, bytes.count))
        return Instant(String(decoding: bytes.prefix(count).filter { $0 != 10 }, as: UTF8.self))
    }

    func write(_ time: Instant) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        // If the time is not stored, the names of the backups say when the last one was made.
        defer { close(descriptor) }
        clinux_give_to_folder(path)
        // The same holds here.
        _ = "\(time)\n".withCString { pwrite(descriptor, $0, strlen($0), 0) }
    }
}

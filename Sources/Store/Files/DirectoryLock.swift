import CLinux
import Glibc
import Synchronization

/// An advisory lock on a data directory, which the system releases when the process ends. The lock file contains the
/// process id and the last change that was served.
final class DirectoryLock: Sendable {
    private let descriptor: Int32
    private let isHeld = Atomic(true)
    /// The last change that was served from the directory, or `nil` if the file does not say.
    let served: Int64?
    /// A Boolean value indicating whether the lock file was empty, so that nothing was served from the directory.
    let isNew: Bool

    /// Locks an existing directory. Throws `inUse` if another process has locked it, and has not unlocked it at the last
    /// attempt. The attempts are 50 milliseconds apart.
    init(_ directory: DataDirectory, attempts: Int = 1) throws(StoreError) {
        try Self.demandPrivacy(of: directory.path)
        descriptor = open(directory.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(directory.lock) }
        clinux_give_to_folder(directory.lock)
        var isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        for _ in 1..<attempts where !isLocked {
            usleep(50_000)
            isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        }
        let words = DataDirectory.words(in: descriptor)
        served = words.count > 1 ? Int64(words[1]) : nil
        isNew = words.isEmpty
        guard isLocked else {
            // Not closed here: after all properties are set, an initializer that throws is followed by `deinit`.
            throw .inUse(directory: directory.path, pid: words.first.flatMap { Int32($0) })
        }
        if let served { record(served: served) }
    }

    /// Records the process id and the last change that was served. It is not synced, so the number may be too small but
    /// never too large. A failed write costs at most an epoch: the next server assumes that this is not the file that
    /// was served last. The rest of a longer text may follow as further words.
    func record(served: Int64) {
        // See above: a failed write is harmless.
        _ = "\(getpid()) \(served)\n".withCString { pwrite(descriptor, $0, strlen($0), 0) }
    }

    /// Records the same when the server starts, and syncs it, so that an earlier clean end no longer counts. Returns
    /// `false` if that fails.
    func recordStart(served: Int64) -> Bool {
        record(served: served)
        return fdatasync(descriptor) == 0
    }

    /// Throws if others may write to the directory, because they could replace any file in it.
    private static func demandPrivacy(of directory: String) throws(StoreError) {
        guard let state = DataDirectory.status(directory) else { throw .system(directory) }
        guard state.st_mode & S_IFMT == S_IFDIR else { throw .file(path: directory, reason: "is not a directory") }
        guard state.st_mode & 0o022 == 0 else {
            let mode = String(state.st_mode & 0o7777, radix: 8)
            throw .file(
                path: directory,
                reason: "other users can write to it (mode \(mode)), and so replace the database. "
                    + "Change that: chmod go-w \(directory)")
        }
    }

    /// Releases the lock.
    func release() {
        guard isHeld.exchange(false, ordering: .acquiringAndReleasing) else { return }
        // Unlocked explicitly: a child process between its fork and its exec still has the descriptor, and with it the
        // lock.
        // Neither call fails for an open descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    deinit { release() }
}

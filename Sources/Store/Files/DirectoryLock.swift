import CLinux
import Glibc
import Synchronization

/// Keeps other processes out of a data directory: an advisory lock on a file, which the system gives back when the process
/// ends in whatever way. The file says who has it and which change was served last.
final class DirectoryLock: Sendable {
    private let descriptor: Int32
    private let isHeld = Atomic(true)
    /// The last change that was served from the directory; nil where the file does not say.
    let served: Int64?
    /// Whether the file was empty: nothing was served from the directory.
    let isNew: Bool

    /// Locks a directory that is there. Throws `inUse` when another process has it.
    init(_ directory: DataDirectory) throws(StoreError) {
        try Self.demandPrivacy(of: directory.path)
        descriptor = open(directory.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(path: directory.lock, reason: DataDirectory.reason()) }
        clinux_give_to_folder(directory.lock)
        let words = Self.words(in: descriptor)
        served = words.count > 1 ? Int64(words[1]) : nil
        isNew = words.isEmpty
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            // Not closed here: an initializer that throws when all is set is followed by `deinit`.
            throw .inUse(directory: directory.path, pid: words.first.flatMap { Int32($0) })
        }
    }

    /// Says who has the directory, and the last change that has been served. Not synced: it may say less than there was,
    /// and never more.
    func note(served: Int64) {
        // The blank column is that of the clean end in the lock files of version 0.1.
        write(column("\(getpid())", 12) + column("\(served)", 20) + column("", 20) + "\n", at: 0)
    }

    /// The same when that begins, on disk: the end of who was here before is none of the end to come. False where it cannot be there.
    func noteBeginning(served: Int64) -> Bool {
        note(served: served)
        return fdatasync(descriptor) == 0
    }

    private func write(_ text: String, at offset: off_t) {
        // A failed write costs at most an epoch: the next server assumes that the file is not the one served last.
        _ = text.withCString { pwrite(descriptor, $0, strlen($0), offset) }
    }

    /// As wide at each time, so that nothing of an older text is left.
    private func column(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.utf8.count))
    }

    /// Who may write in a directory may put another file in the place of any that is in it.
    private static func demandPrivacy(of directory: String) throws(StoreError) {
        var state = stat()
        guard stat(directory, &state) == 0 else {
            throw .file(path: directory, reason: String(cString: strerror(errno)))
        }
        guard state.st_mode & 0o022 == 0 else {
            let mode = String(state.st_mode & 0o7777, radix: 8)
            throw .file(
                path: directory,
                reason: "others than its owner may write here (mode \(mode)), and so replace the database. "
                    + "Take that from them: chmod go-w \(directory)")
        }
    }

    /// Lets others in.
    func release() {
        guard isHeld.exchange(false, ordering: .acquiringAndReleasing) else { return }
        // Unlocked by name: a child process between its fork and its exec still has the descriptor, and with it the lock.
        // Neither fails for a descriptor that is open.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    deinit { release() }

    private static func words(in descriptor: Int32) -> [Substring] {
        var bytes = [UInt8](repeating: 0, count: 80)
        let count = max(0, pread(descriptor, &bytes, bytes.count, 0))
        return String(decoding: bytes.prefix(count), as: UTF8.self).split { $0 == " " || $0 == "\n" }
    }
}

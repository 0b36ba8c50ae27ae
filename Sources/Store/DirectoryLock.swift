import Glibc
import Synchronization

/// Keeps other processes out of a data directory: an advisory lock on a file, which the system gives back when the process
/// ends in whatever way.
final class DirectoryLock: Sendable {
    private let descriptor: Int32
    private let isHeld = Atomic(true)

    /// Makes the directory (only its owner may enter) and locks it. Throws `inUse` when another process has it.
    init(directory: String) throws(StoreError) {
        if mkdir(directory, 0o700) != 0, errno != EEXIST {
            throw .file(path: directory, reason: String(cString: strerror(errno)))
        }
        try Self.demandPrivacy(of: directory)
        let path = directory + "/lectern.lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(path: path, reason: String(cString: strerror(errno))) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            // Not closed here: an initializer that throws when all is set is followed by `deinit`.
            throw .inUse(directory: directory, pid: Self.pid(in: descriptor))
        }
        let text = "\(getpid())\n"
        ftruncate(descriptor, 0)
        _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
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
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    deinit { release() }

    private static func pid(in descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, 16, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}

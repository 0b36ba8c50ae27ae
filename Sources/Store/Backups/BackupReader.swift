import Glibc

/// The copying of a backup into a new database file, which checks the digest at its end.
struct BackupReader {
    private let path: String
    private let target: Int32
    private let targetPath: String
    private var digest = BackupDigest()
    /// The last bytes that were read, which may be the digest.
    private var waiting: [UInt8] = []
    /// The length of the database.
    private(set) var byteCount: Int64 = 0

    /// Creates a reader of the backup at `path`, which writes to `target`, an open, empty file.
    init(_ path: String, to target: Int32, at targetPath: String) {
        (self.path, self.target, self.targetPath) = (path, target, targetPath)
    }

    /// Reads the whole backup. Returns whether it has a digest, and throws if the digest does not match.
    mutating func read(_ source: Int32) throws(StoreError) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = Glibc.read(source, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .file(path: path, reason: DataDirectory.reason()) }
            if count == 0 { break }
            waiting += buffer.prefix(count)
            try take(keeping: BackupDigest.byteCount)
        }
        let hasDigest = BackupDigest.isOne(waiting)
        if hasDigest {
            guard waiting == digest.text else {
                throw .file(
                    path: path,
                    reason: "is not a valid backup: its digest does not match its bytes: it was damaged or changed. "
                        + "Nothing was restored")
            }
            waiting = []
        }
        try take(keeping: 0)
        guard fsync(target) == 0 else { throw .file(path: targetPath, reason: DataDirectory.reason()) }
        return hasDigest
    }

    /// Writes the waiting bytes to the new file, except the last `kept` of them.
    private mutating func take(keeping kept: Int) throws(StoreError) {
        let count = waiting.count - kept
        guard count > 0 else { return }
        byteCount += Int64(count)
        let isWritten = waiting.withUnsafeBytes { bytes in
            let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
            digest.update(part)
            return CompleteFileWrite.of(part, to: target)
        }
        guard isWritten else { throw .file(path: targetPath, reason: DataDirectory.reason()) }
        waiting.removeFirst(count)
    }
}

import Glibc

/// The conversion of a backup, a database file or page records, into a new database file.
struct BackupConverter {
    private let path: String
    private let target: Int32
    private let targetPath: String
    private var digest = BackupDigest()
    /// The unprocessed bytes: the first ones until they show the format, and the last ones, which may be the digest.
    private var waiting: [UInt8] = []
    private var isBegun = false
    private var records: PageRecordReader?
    private var byteCount: Int64 = 0

    /// Creates a conversion of the backup at `path` to `target`, an open, empty file.
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
        let tail = waiting
        if BackupDigest.isOne(tail) {
            guard tail == digest.text else {
                throw refusal("its digest does not match its bytes: it was damaged or changed")
            }
            waiting = []
        }
        try take(keeping: 0)
        if let records, records.seq == nil { throw refusal("it is incomplete") }
        guard fsync(target) == 0 else { throw .file(path: targetPath, reason: DataDirectory.reason()) }
        return BackupDigest.isOne(tail)
    }

    /// The length of a database file, or `nil` for page records.
    var fileByteCount: Int64? { records == nil ? byteCount : nil }

    /// Processes the waiting bytes except the last `kept`.
    private mutating func take(keeping kept: Int) throws(StoreError) {
        let count = waiting.count - kept
        guard count > 0 else { return }
        if !isBegun {
            isBegun = true
            if waiting.starts(with: PageRecordFormat.magic) { records = PageRecordReader(to: target) }
        }
        byteCount += Int64(count)
        let part = Array(waiting.prefix(count))
        waiting.removeFirst(count)
        part.withUnsafeBytes { digest.update($0) }
        guard records != nil else {
            let isWritten = part.withUnsafeBytes { CompleteFileWrite.of($0, to: target) }
            guard isWritten else { throw .file(path: targetPath, reason: DataDirectory.reason()) }
            return
        }
        do throws(PageRecordError) { try records?.take(part) } catch { throw refusal(error.reason) }
    }

    private func refusal(_ why: String) -> StoreError {
        .file(path: path, reason: "is not a valid backup: \(why). Nothing was restored")
    }
}

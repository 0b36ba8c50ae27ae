import Glibc
import Model

/// The digest of a backup, which follows its bytes in the same file: the word `lectern-sha256`, 64 hexadecimal digits
/// and a line feed.
///
/// SQLite ignores bytes after the last page, so a backup with a digest can be opened like any database.
struct BackupDigest {
    /// The length of the digest's text.
    static let byteCount = mark.count + 65
    private static let mark = Array("lectern-sha256 ".utf8)

    private var hash = SHA256()

    /// Creates the digest of no bytes.
    init() {}

    /// Adds bytes of the backup.
    mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bytes.bytes) }

    /// The text to append to a backup: the digest of all bytes that were added.
    var text: [UInt8] {
        Self.mark + hash.digest().bytes.flatMap { [Self.digit($0 >> 4), Self.digit($0 & 15)] } + [0x0A]
    }

    /// Returns a Boolean value indicating whether the last bytes of a file have the form of a digest.
    static func isOne(_ tail: [UInt8]) -> Bool {
        tail.count == byteCount && tail.starts(with: mark) && tail.last == 0x0A
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}

extension DatabaseCopyFile {
    /// Appends the digest of the file's content and returns the new length. `rest` is called after each piece, and
    /// cancels the work by returning `false`.
    func addDigest(rest: () -> Bool = { true }) throws(StoreError) -> Int64 {
        var digest = BackupDigest()
        var length: Int64 = 0
        try read { bytes throws(StoreError) in
            digest.update(bytes)
            length += Int64(bytes.count)
            guard rest() else { throw .file(path: path, reason: Self.cancelled) }
        }
        let text = digest.text
        try write(text.span.bytes)
        return length + Int64(BackupDigest.byteCount)
    }

    /// Checks the digest at the end of the file, which was copied from `source`, and removes it. Returns `false` if there
    /// is none, and throws if it does not match.
    func removeDigest(copiedFrom source: String) throws(StoreError) -> Bool {
        let length = (DataDirectory.size(path) ?? 0) - Int64(BackupDigest.byteCount)
        var tail = [UInt8](repeating: 0, count: BackupDigest.byteCount)
        guard length >= 0, pread(descriptor, &tail, tail.count, off_t(length)) == tail.count, BackupDigest.isOne(tail)
        else { return false }
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw .file(path: path, reason: DataDirectory.reason()) }
        var digest = BackupDigest()
        try read { digest.update($0) }
        guard tail == digest.text else {
            throw .file(
                path: source,
                reason: "is not a valid backup: its digest does not match its bytes: it was damaged or changed. "
                    + "Nothing was restored")
        }
        return true
    }
}

import Glibc
import Model

/// The digest of a backup, which follows its bytes in the same file: the word `lectern-sha256`, 64 hexadecimal digits
/// and a line feed.
///
/// SQLite ignores bytes after the last page, so a backup with a digest can be opened like any database.
package struct BackupDigest {
    /// The length of the digest's text.
    static let byteCount = mark.count + 65
    private static let mark = Array("lectern-sha256 ".utf8)

    private var hash = IncrementalSHA256()

    /// Creates the digest of no bytes.
    package init() {}

    /// Adds bytes of the backup.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bytes.bytes) }

    /// The text that follows the bytes that were added.
    package var text: [UInt8] {
        Self.mark + hash.digest().bytes.flatMap { [Self.digit($0 >> 4), Self.digit($0 & 15)] } + [0x0A]
    }

    /// Returns a Boolean value indicating whether the last bytes of a file have the form of a digest.
    static func isOne(_ tail: [UInt8]) -> Bool {
        tail.count == byteCount && tail.starts(with: mark) && tail.last == 0x0A
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}

extension DatabaseCopyFile {
    /// Appends the digest of the file's content and returns the new length.
    func addDigest(rest: () -> Bool = { true }) throws(StoreError) -> Int64 {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file(path: path, reason: DataDirectory.reason()) }
        // Closing loses nothing, because the digest was synced before.
        defer { close(descriptor) }
        var digest = BackupDigest()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var length: Int64 = 0
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .file(path: path, reason: DataDirectory.reason()) }
            if count == 0 { break }
            buffer.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
            length += Int64(count)
            guard rest() else { throw .file(path: path, reason: DatabaseCopyRequest.broken.message) }
        }
        let isWritten = digest.text.withUnsafeBytes { CompleteFileWrite.of($0, to: descriptor) }
        guard isWritten, fsync(descriptor) == 0 else { throw .file(path: path, reason: DataDirectory.reason()) }
        return length + Int64(BackupDigest.byteCount)
    }
}

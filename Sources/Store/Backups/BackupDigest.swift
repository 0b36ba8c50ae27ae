import Bytes
import Glibc
import Model

/// The digest of a backup, which follows its bytes in the same file: the word `lectern-sha256`, 64 hexadecimal digits
/// and a line feed.
///
/// SQLite ignores bytes after the last page, so a backup with a digest can be opened like any database.
enum BackupDigest {
    /// The length of the digest's text.
    static let byteCount = mark.count + 65
    static let mark = Array("lectern-sha256 ".utf8)

    /// Returns the text to append to a backup, whose bytes were added to the hash.
    static func text(of content: SHA256) -> [UInt8] {
        let words = content.digest().words
        var text = mark
        for index in words.indices { withUnsafeBytes(of: hexDigits(words[index])) { text += $0 } }
        return text + [0x0A]
    }
}

extension DatabaseCopyFile {
    /// Appends the digest of the file's content and returns the new length. `rest` is called after each piece, and
    /// cancels the work by returning `false`.
    func addDigest(rest: () -> Bool = { true }) throws(StoreError) -> Int64 {
        var content = SHA256()
        var length: Int64 = 0
        try read { bytes throws(StoreError) in
            content.update(bytes.bytes)
            length += Int64(bytes.count)
            guard rest() else { throw .file(path: path, reason: Self.cancelled) }
        }
        let text = BackupDigest.text(of: content)
        try write(text.span.bytes)
        return length + Int64(BackupDigest.byteCount)
    }

    /// Checks the digest at the end of the file, which was copied from `source`, and removes it. Throws if there is none,
    /// or if it does not match.
    func removeDigest(copiedFrom source: String) throws(StoreError) {
        let length = (DataDirectory.size(path) ?? 0) - Int64(BackupDigest.byteCount)
        var tail = [UInt8](repeating: 0, count: BackupDigest.byteCount)
        guard length >= 0, pread(descriptor, &tail, tail.count, off_t(length)) == tail.count,
            tail.starts(with: BackupDigest.mark)
        else {
            throw .file(
                path: source,
                reason: "is not a complete Lectern backup: it does not end with a digest. Nothing was restored")
        }
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw .system(path) }
        var content = SHA256()
        try read { content.update($0.bytes) }
        guard tail == BackupDigest.text(of: content) else {
            throw .file(
                path: source,
                reason: "is not a valid backup: its digest does not match its bytes: it was damaged or changed. "
                    + "Nothing was restored")
        }
    }
}

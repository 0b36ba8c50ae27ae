import Bytes
import Glibc
import Model

/// The digest of a backup, which follows its bytes in the same file: the word `lectern-sha256`, 64 hexadecimal digits
/// and a line feed. Before it, the word `lectern-rows` and an id name the log of rows that begins with the backup, so
/// that a restore does not take a missing log for none.
///
/// SQLite ignores bytes after the last page, so a backup with a digest can be opened like any database.
enum BackupDigest {
    /// The length of the digest's text.
    static let byteCount = mark.count + 65
    static let mark = Array("lectern-sha256 ".utf8)

    /// Returns the text that names a log of rows.
    static func text(ofRowLog id: String) -> [UInt8] { Array("lectern-rows \(id)\n".utf8) }
    /// The length of that text.
    static let rowLogByteCount = text(ofRowLog: Backup.id(of: .now)).count

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
    /// cancels the work by returning `false`. `rowLog` is the id of the row log that begins with the copy.
    func addDigest(rowLog: String? = nil, rest: () -> Bool = { true }) throws(StoreError) -> Int64 {
        var content = SHA256()
        var length: Int64 = 0
        try read { bytes throws(StoreError) in
            content.update(bytes.bytes)
            length += Int64(bytes.count)
            guard rest() else { throw .file(path: path, reason: Self.cancelled) }
        }
        let word = rowLog.map(BackupDigest.text(ofRowLog:)) ?? []
        content.update(word.span.bytes)
        let text = word + BackupDigest.text(of: content)
        try write(text.span.bytes)
        return length + Int64(text.count)
    }

    /// Checks the digest at the end of the file, which was copied from `source`, and removes it. Throws if there is none,
    /// or if it does not match. Returns the id of the row log that begins with the backup, or `nil`.
    func removeDigest(copiedFrom source: String) throws(StoreError) -> String? {
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
        var word = [UInt8](repeating: 0, count: BackupDigest.rowLogByteCount)
        let end = length - Int64(word.count)
        // The pages of a database have a multiple of 512 bytes.
        guard end >= 0, end % 512 == 0, pread(descriptor, &word, word.count, off_t(end)) == word.count else {
            return nil
        }
        guard ftruncate(descriptor, off_t(end)) == 0 else { throw .system(path) }
        return String(decoding: word, as: UTF8.self).split(whereSeparator: \.isWhitespace).last.map(String.init)
    }
}

import CLinux
import Glibc
import Model

/// A file of row records, in their order.
///
/// It begins with a line: `lectern-rows 2`, the version of the schema, the id of the file whose records come before
/// these, or `-`, and its own id. Each record has two parts: four numbers of eight bytes, least significant first (the
/// lengths of its two texts, its time and its head), then the sequences and the changeset. The line and each part are
/// followed by 32 bytes: the SHA-256 of those of the part before (none before the line) and of the part. So no record
/// can be changed, exchanged or left out unnoticed, and a wrong length is not taken for an incomplete end. The last
/// record of a file that another one follows names it, so a missing file or end is noticed too.
struct RowLogFile {
    /// The id of the file: that of the backup at whose moment it begins, or another time.
    let id: String
    private let path: String
    private let descriptor: Descriptor
    private var digest: [UInt8]
    /// The bytes that are not written yet.
    private var waiting: [UInt8]
    static let format = "lectern-rows 2"

    /// An open descriptor, which is closed at the end.
    final class Descriptor: Sendable {
        let number: Int32

        init(_ number: Int32, of path: String) throws(StoreError) {
            guard number >= 0 else { throw .system(path) }
            self.number = number
        }

        // Its bytes were synced, or do not count.
        deinit { close(number) }
    }

    /// Creates an empty file, whose records follow those of the file `previous`.
    init(_ id: String, in folder: BackupDirectory, after previous: String?, schema: Int64) throws(StoreError) {
        try folder.make()
        (self.id, path) = (id, folder.path(of: Self.name(of: id)))
        descriptor = try Descriptor(clinux_create_private(path), of: path)
        (digest, waiting) = ([], [])
        append(Array("\(Self.format) \(schema) \(previous ?? "-") \(id)\n".utf8))
        do throws(StoreError) {
            try sync()
            try DataDirectory.sync(folderOf: path)
        } catch {
            // A file without its line is no log; if it remains, a restore passes over it.
            unlink(path)
            throw error
        }
    }

    /// Opens a file to append to it. Returns `nil` if its last record is not that of a clean end with this text.
    init?(_ id: String, in folder: BackupDirectory, endingWith text: String) {
        let expected = Array((RowRecord.endWord + text).utf8)
        // A file that cannot be read or written is not continued.
        guard let reader = try? RowLogReader(id, in: folder), reader.schema == DatabaseSchema.newest,
            let tail = reader.tail(expected.count), tail.starts(with: expected),
            // As above.
            let opened = try? Descriptor(open(reader.path, O_WRONLY | O_APPEND | O_CLOEXEC), of: reader.path)
        else { return nil }
        (self.id, path, descriptor, waiting) = (id, reader.path, opened, [])
        digest = Array(tail.dropFirst(expected.count))
    }

    /// Appends a record. It is on disk after `sync`.
    mutating func append(_ record: RowRecord) {
        let sequences = Array(record.sequences.utf8)
        let numbers = [Int64(sequences.count), Int64(record.changeset.count), record.time.milliseconds, record.head]
        append(numbers.flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) })
        append(sequences + record.changeset)
    }

    private mutating func append(_ part: [UInt8]) {
        digest = Self.digest(part, after: digest)
        waiting += part
        waiting += digest
    }

    /// Writes and syncs the appended records, at once, because a slow disk may take long for each write. Throws if the
    /// file was deleted, renamed or replaced.
    mutating func sync() throws(StoreError) {
        guard waiting.withUnsafeBytes({ CompleteFileWrite.of($0, to: descriptor.number) }) else { throw .system(path) }
        waiting.removeAll()
        var found = stat()
        guard fdatasync(descriptor.number) == 0, fstat(descriptor.number, &found) == 0 else { throw .system(path) }
        guard let named = DataDirectory.status(path), named.st_ino == found.st_ino, named.st_dev == found.st_dev else {
            throw .system(path, ENOENT)
        }
    }

    /// Returns the digest of a part of a record, after that of the part before.
    static func digest(_ bytes: [UInt8], after digest: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(digest.span.bytes)
        hash.update(bytes.span.bytes)
        return hash.digest().bytes
    }

    private static let suffix = ".rows"

    /// Returns the name of the file with an id.
    static func name(of id: String) -> String { "\(BackupKind.kept.rawValue)-\(id)\(suffix)" }

    /// Returns the id of the file with a name, or `nil` for other files.
    static func id(of name: String) -> String? {
        let prefix = BackupKind.kept.rawValue + "-"
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        let id = String(name.dropFirst(prefix.count).dropLast(suffix.count))
        return Backup.time(of: id) == nil ? nil : id
    }
}

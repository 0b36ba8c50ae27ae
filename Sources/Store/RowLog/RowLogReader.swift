import CLinux
import Glibc
import Model

/// A reader of a file of row records.
struct RowLogReader {
    let schema: Int64
    /// The id of the file whose records come before these, or `nil`.
    let previous: String?
    let path: String
    private let descriptor: RowLogFile.Descriptor
    /// The number of bytes that were read.
    private(set) var place: Int64 = 0
    /// The number of bytes of the file.
    let end: Int64
    private var digest: [UInt8] = []

    private static let lineMax = 100
    private static let numbersLength: Int64 = 32
    private static let digestLength: Int64 = 32

    /// Opens a file and reads its first line.
    init(_ id: String, in folder: BackupDirectory) throws(StoreError) {
        path = folder.path(of: RowLogFile.name(of: id))
        guard let found = DataDirectory.status(path) else { throw .system(path) }
        // To open a pipe would wait for its writer.
        guard found.st_mode & S_IFMT == S_IFREG else { throw .file(path: path, reason: "is not a file") }
        descriptor = try RowLogFile.Descriptor(clinux_open_readonly(path), of: path)
        end = Int64(found.st_size)
        let start = try Self.bytes(at: 0, min(end, Int64(Self.lineMax)), descriptor.number, path)
        let line = start.prefix { $0 != 0x0A } + [0x0A]
        let words = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        guard line.count <= start.count, words.count == 5, words[0...1].joined(separator: " ") == RowLogFile.format,
            let schema = Int64(words[2]), words[4] == id
        else { throw .file(path: path, reason: "does not begin like the log of rows of that name") }
        self.schema = schema
        previous = words[3] == "-" ? nil : String(words[3])
        guard try part(Int64(line.count)) != nil else { throw damaged }
    }

    /// A Boolean value indicating whether a part of a record follows.
    var hasMore: Bool { place < end }

    /// Returns the next record, or `nil` at the end. The last record may be incomplete, after a kill; then it does not
    /// count.
    mutating func next() throws(StoreError) -> RowRecord? {
        let start = place
        guard let head = try part(Self.numbersLength) else { return nil }
        let numbers = head.withUnsafeBytes { head in
            (0..<4).map { Int64(littleEndian: head.loadUnaligned(fromByteOffset: $0 * 8, as: Int64.self)) }
        }
        // Checked although the digest is right, because anyone can compute it.
        guard 0...1000 ~= numbers[0], 0...Int64(RowLog.bytesMax) ~= numbers[1], Self.times ~= numbers[2],
            numbers[3] >= 0
        else {
            throw damaged
        }
        guard let texts = try part(numbers[0] + numbers[1]) else {
            place = start
            return nil
        }
        return RowRecord(
            time: Instant(milliseconds: numbers[2]), head: numbers[3],
            sequences: String(decoding: texts.prefix(Int(numbers[0])), as: UTF8.self),
            changeset: Array(texts.dropFirst(Int(numbers[0]))))
    }

    /// The times from 1970 to 9999, in milliseconds.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799_999

    /// Returns the next part of a record, or `nil` if the file ends within it.
    private mutating func part(_ length: Int64) throws(StoreError) -> [UInt8]? {
        guard length + Self.digestLength <= end - place else { return nil }
        let part = try bytes(length)
        let expected = try Self.bytes(at: place + length, Self.digestLength, descriptor.number, path)
        digest = RowLogFile.digest(part, after: digest)
        guard digest == expected else {
            // The end of the last write may be missing although the file has its length.
            if place + length + Self.digestLength == end { return nil }
            guard end - place <= RowLog.bytesMax, try bytes(end - place).allSatisfy({ $0 == 0 }) else { throw damaged }
            return nil
        }
        place += length + Self.digestLength
        return part
    }

    /// Returns the last bytes of the last record's texts and their digest, or `nil` if the file is shorter or cannot be read.
    func tail(_ count: Int) -> [UInt8]? {
        let start = end - Self.digestLength - Int64(count)
        // A file that cannot be read is not continued.
        return start < 0 ? nil : try? Self.bytes(at: start, end - start, descriptor.number, path)
    }

    private var damaged: StoreError {
        .file(path: path, reason: "is damaged or was changed: a record at byte \(place) does not match its digest")
    }

    private func bytes(_ count: Int64) throws(StoreError) -> [UInt8] {
        try Self.bytes(at: place, count, descriptor.number, path)
    }

    private static func bytes(
        at place: Int64, _ count: Int64, _ descriptor: Int32, _ path: String
    ) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(count))
        let read = pread(descriptor, &bytes, bytes.count, off_t(place))
        guard read == bytes.count else { throw .system(path, read < 0 ? errno : EIO) }
        return bytes
    }
}

import Glibc

/// The format of a backup that is sent while it is made: page records, of which a later one replaces an earlier one of
/// the same page.
///
/// The format begins with the line `Lectern backup 1` and the page size. Records follow, each a page number and the
/// page. The end is the number 0, the page count and the last change of the log. Numbers are big-endian and have 32
/// bits, the last change 64.
package enum PageRecordFormat {
    static let magic = Array("Lectern backup 1\n".utf8)
    static let headerByteCount = magic.count + 4
    static let endByteCount = 16

    static func header(pageSize: Int) -> [UInt8] { magic + bytes(UInt32(pageSize)) }

    static func end(pageCount: UInt32, seq: Int64) -> [UInt8] {
        bytes(UInt32(0)) + bytes(pageCount) + bytes(UInt64(bitPattern: seq))
    }

    static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}

/// A reader that applies page records to a file as they arrive.
struct PageRecordReader {
    private let descriptor: Int32
    private var waiting: [UInt8] = []
    private var pageSize = 0
    /// The last change of the log that the backup contains, or `nil` until the end was read.
    private(set) var seq: Int64?

    /// Creates a reader that writes to an open, empty file.
    init(to descriptor: Int32) { self.descriptor = descriptor }

    /// Reads the next bytes of a backup, and writes the complete pages to the file. The bytes may end anywhere in a
    /// record; the rest of it follows in the next call.
    mutating func take(_ bytes: [UInt8]) throws(PageRecordError) {
        waiting += bytes
        var place = 0
        while let count = try apply(at: place) { place += count }
        waiting.removeFirst(place)
        guard seq == nil || waiting.isEmpty else { throw PageRecordError(reason: "there are bytes after its end") }
    }

    /// Applies the record at `place`. Returns its length, or `nil` if it is incomplete.
    private mutating func apply(at place: Int) throws(PageRecordError) -> Int? {
        let count = waiting.count - place
        if pageSize == 0 { return count < PageRecordFormat.headerByteCount ? nil : try readHeader() }
        guard seq == nil, count >= 4 else { return nil }
        let page = number(at: place)
        guard page > 0 else {
            guard count >= PageRecordFormat.endByteCount else { return nil }
            try end(pageCount: number(at: place + 4))
            seq = Int64(bitPattern: UInt64(number(at: place + 8)) << 32 | UInt64(number(at: place + 12)))
            return PageRecordFormat.endByteCount
        }
        guard count >= 4 + pageSize else { return nil }
        try write(from: place + 4, to: off_t(page - 1) * off_t(pageSize))
        return 4 + pageSize
    }

    private mutating func readHeader() throws(PageRecordError) -> Int {
        let size = Int(number(at: PageRecordFormat.magic.count))
        guard waiting.starts(with: PageRecordFormat.magic), (512...65_536).contains(size), size & (size - 1) == 0 else {
            throw PageRecordError(reason: "it does not begin like a backup")
        }
        pageSize = size
        return PageRecordFormat.headerByteCount
    }

    private func write(from place: Int, to offset: off_t) throws(PageRecordError) {
        var done = 0
        while done < pageSize {
            let count = waiting.withUnsafeBytes {
                // The count is the closure's result.
                pwrite(descriptor, $0.baseAddress! + place + done, pageSize - done, offset + off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw PageRecordError(reason: DataDirectory.reason()) }
            done += count
        }
    }

    private func end(pageCount: UInt32) throws(PageRecordError) {
        guard ftruncate(descriptor, off_t(pageCount) * off_t(pageSize)) == 0 else {
            throw PageRecordError(reason: DataDirectory.reason())
        }
    }

    private func number(at place: Int) -> UInt32 {
        waiting[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// An error in the records or in the target file.
struct PageRecordError: Error { let reason: String }

import CSQLite
import Synchronization

/// The page records of a copy on their way from the writer to the client that fetches them. Nothing of it is on a disk: some megabytes
/// are in memory, and the copy goes on as they are fetched.
final class PageStream: Sendable {
    /// The bytes that wait when the copy pauses.
    static let pauseBytes = 4 << 20
    /// The bytes that wait when the copy fails: pages that are written again cannot wait for a slow client.
    static let bytesMax = 32 << 20

    /// The state of a piece.
    enum Piece: Equatable {
        case bytes([UInt8])
        case notYet
        /// The piece would begin at the end.
        case end
        /// A later one was fetched already, or the copy failed.
        case gone
    }

    private struct State {
        /// Pieces that nobody has fetched, the oldest first; only the last may be shorter than the others.
        var pieces: [[UInt8]] = []
        /// The number of the first of these, and the piece before it, which may be asked for again.
        var next = 0
        var last: [UInt8]?
        var byteCount: Int64 = 0
        var pageSize = 0
        /// The first page, which SQLite reads back, and the length of what it takes for a file.
        var firstPage: [UInt8] = []
        var extent: Int64 = 0
        var seq: Int64?
        var hasFailed = false

        var waitingBytes: Int { max(pieces.count - 1, 0) * Backup.pieceBytesMax + (pieces.last?.count ?? 0) }

        mutating func append(_ bytes: UnsafeRawBufferPointer) {
            byteCount += Int64(bytes.count)
            var rest = bytes[...]
            while !rest.isEmpty {
                if pieces.last.map({ $0.count == Backup.pieceBytesMax }) ?? true {
                    pieces.append([])
                    pieces[pieces.count - 1].reserveCapacity(Backup.pieceBytesMax)
                }
                let taken = rest.prefix(Backup.pieceBytesMax - pieces[pieces.count - 1].count)
                pieces[pieces.count - 1].append(contentsOf: taken)
                rest = rest.dropFirst(taken.count)
            }
        }
    }

    private let state = Mutex(State())

    /// Whether the copy is to go on now.
    var hasRoom: Bool { state.withLock { $0.waitingBytes < Self.pauseBytes } }
    /// The length of all pieces so far.
    var byteCount: Int64 { state.withLock { $0.byteCount } }
    /// The last change of the log that is in the copy; `nil` until it is whole.
    var seq: Int64? { state.withLock { $0.seq } }

    /// Begins the records of pages of that size.
    func begin(pageSize: Int) {
        state.withLock { state in
            state.pageSize = pageSize
            PageRecords.header(pageSize: pageSize).withUnsafeBytes { state.append($0) }
        }
    }

    /// Ends the records: the copy is whole.
    func end(pageCount: Int32, seq: Int64) {
        state.withLock { state in
            let end = PageRecords.end(pageCount: UInt32(clamping: pageCount), seq: seq)
            end.withUnsafeBytes { state.append($0) }
            state.seq = seq
        }
    }

    /// Drops what there is: nothing more comes.
    func fail() {
        state.withLock { state in
            (state.pieces, state.last, state.hasFailed) = ([], nil, true)
        }
    }

    /// A piece by its number, which counts from 0. Any thread.
    func piece(_ number: Int) -> Piece {
        state.withLock { state in
            if number == state.next - 1, let last = state.last { return .bytes(last) }
            guard number == state.next, !state.hasFailed else { return number > state.next ? .notYet : .gone }
            guard let first = state.pieces.first else { return state.seq == nil ? .notYet : .end }
            guard first.count == Backup.pieceBytesMax || state.seq != nil else { return .notYet }
            state.last = state.pieces.removeFirst()
            state.next += 1
            return .bytes(first)
        }
    }

    // MARK: As SQLite's file

    /// Takes a page; a result code of SQLite's.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
        state.withLock { state in
            guard bytes.count == state.pageSize, offset >= 0, offset % Int64(state.pageSize) == 0,
                let page = UInt32(exactly: offset / Int64(state.pageSize) + 1)
            else { return SQLITE_IOERR | 3 << 8 }
            guard state.waitingBytes < Self.bytesMax else { return SQLITE_FULL }
            if page == 1 { state.firstPage = Array(bytes) }
            state.extent = max(state.extent, offset + Int64(bytes.count))
            PageRecords.bytes(page).withUnsafeBytes { state.append($0) }
            state.append(bytes)
            return SQLITE_OK
        }
    }

    /// Reads back what SQLite looks at, which is the first page; of all others, which a copy only overwrites, zeros.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int32 {
        state.withLock { state in
            let there = offset < 0 ? [] : state.firstPage.dropFirst(Int(clamping: offset)).prefix(bytes.count)
            bytes.copyBytes(from: there)
            for index in there.count..<bytes.count { bytes[index] = 0 }
            return there.count == bytes.count ? SQLITE_OK : SQLITE_IOERR | 2 << 8
        }
    }

    var extent: Int64 { state.withLock { $0.extent } }
}

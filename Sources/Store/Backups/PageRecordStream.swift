import CSQLite
import Synchronization

/// The page records of a copy, from the writer to the client that fetches them. They are not stored on disk: some
/// megabytes are in memory, and the copy continues as they are fetched.
final class PageRecordStream: Sendable {
    /// The number of waiting bytes at which the copy pauses.
    static let pauseBytes = 4 << 20
    /// The number of waiting bytes at which the copy fails. Pages that are written again cannot wait for a slow client.
    static let bytesMax = 32 << 20

    private struct State {
        /// The pieces that were not fetched, oldest first. Only the last may be shorter than the others.
        var pieces: [[UInt8]] = []
        /// The number of the first of them, and the piece before it, which may be requested again.
        var next = 0
        var last: [UInt8]?
        var byteCount: Int64 = 0
        var pageSize = 0
        /// The first page, which SQLite reads back, and the size of the file that SQLite sees.
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

    /// A Boolean value indicating whether the copy can continue.
    var hasRoom: Bool { state.withLock { $0.waitingBytes < Self.pauseBytes } }
    /// The total length of the pieces so far.
    var byteCount: Int64 { state.withLock { $0.byteCount } }
    /// The last change of the log that the copy contains, or `nil` until it is complete.
    var seq: Int64? { state.withLock { $0.seq } }

    /// Starts the records with their page size.
    func begin(pageSize: Int) {
        state.withLock { state in
            state.pageSize = pageSize
            PageRecordFormat.header(pageSize: pageSize).withUnsafeBytes { state.append($0) }
        }
    }

    /// Ends the records when the copy is complete.
    func end(pageCount: Int32, seq: Int64) {
        state.withLock { state in
            let end = PageRecordFormat.end(pageCount: UInt32(clamping: pageCount), seq: seq)
            end.withUnsafeBytes { state.append($0) }
            state.seq = seq
        }
    }

    /// Discards all pieces after a failure.
    func fail() {
        state.withLock { state in
            (state.pieces, state.last, state.hasFailed) = ([], nil, true)
        }
    }

    /// Returns a piece by its number, counted from 0. Can be called on any thread.
    func piece(_ number: Int) -> PageStreamPiece {
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

    /// Writes a page. Returns an SQLite result code.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
        state.withLock { state in
            guard bytes.count == state.pageSize, offset >= 0, offset % Int64(state.pageSize) == 0,
                let page = UInt32(exactly: offset / Int64(state.pageSize) + 1)
            else { return SQLITE_IOERR | 3 << 8 }
            guard state.waitingBytes < Self.bytesMax else { return SQLITE_FULL }
            if page == 1 { state.firstPage = Array(bytes) }
            state.extent = max(state.extent, offset + Int64(bytes.count))
            PageRecordFormat.bytes(page).withUnsafeBytes { state.append($0) }
            state.append(bytes)
            return SQLITE_OK
        }
    }

    /// Reads back the first page, which is all that SQLite examines. Other pages, which a copy only overwrites, are
    /// read as zeros.
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

/// The state of a piece.
enum PageStreamPiece: Equatable {
    case bytes([UInt8])
    case notYet
    /// The piece would begin at the end.
    case end
    /// A later piece was already fetched, or the copy failed.
    case gone
}

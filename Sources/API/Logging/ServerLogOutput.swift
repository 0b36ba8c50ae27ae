import Glibc
import Model

/// The formatted lines that are not written yet, and their destination.
struct ServerLogOutput {
    private let descriptor: Int32
    /// The maximum number of bytes per write. A pipe that is ready takes this many without blocking.
    private let pieceMax: Int
    private var pending: [UInt8] = []
    private var start = 0
    /// A reusable array for the records taken from a buffer.
    var taken: [ServerLogRecord] = []
    /// The number of dropped lines that were not reported yet.
    var lost = 0

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var state = stat()
        let isFile = fstat(descriptor, &state) == 0 && state.st_mode & S_IFMT == S_IFREG
        pieceMax = isFile ? 1 << 16 : Int(PIPE_BUF)
    }

    /// Appends a record. Returns `false` if there is no space for it.
    mutating func put(_ record: ServerLogRecord, _ format: ServerLogFormat, _ bytesMax: Int) -> Bool {
        guard pending.count - start < bytesMax else { return false }
        if start > bytesMax / 2 {
            pending.removeFirst(start)
            start = 0
        }
        format.append(record, to: &pending)
        return true
    }

    /// Appends a record with the number of dropped lines, as soon as there is space for it.
    mutating func writeLostCount(_ format: ServerLogFormat, _ ring: RecentServerLogRecords, _ bytesMax: Int) {
        guard lost > 0 else { return }
        let record = ServerLogRecord(
            time: .now, level: .warning, event: .message("\(lost) lines were lost: the log's output was too slow", nil))
        guard put(record, format, bytesMax) else { return }
        ring.add([record])
        lost = 0
    }

    /// Writes as many bytes as the destination takes without blocking. Returns `true` when nothing is left.
    mutating func write() -> Bool {
        while start < pending.count {
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&ready, 1, 0) > 0 else { return false }
            let count = min(pieceMax, pending.count - start)
            let written = pending.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + start, count) }
            if written < 0, errno == EINTR { continue }
            if written < 0, errno == EAGAIN { return false }
            // Bytes after an error are discarded, because nobody can read them.
            start = written < 0 ? pending.count : start + written
        }
        pending.removeAll(keepingCapacity: pending.capacity < 1 << 18)
        start = 0
        return true
    }
}

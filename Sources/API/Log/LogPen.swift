import Glibc
import Model

/// What is written next, and where to.
struct LogPen {
    private let descriptor: Int32
    /// Bytes that are written at once: as many as a pipe that says it takes some takes without making its writer wait.
    private let pieceMax: Int
    private var pending: [UInt8] = []
    private var start = 0
    /// Room for what is taken over.
    var taken: [LogRecord] = []
    /// Lines that were left out, of which nobody has been told.
    var lost = 0

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var state = stat()
        let isFile = fstat(descriptor, &state) == 0 && state.st_mode & S_IFMT == S_IFREG
        pieceMax = isFile ? 1 << 16 : Int(PIPE_BUF)
    }

    /// False when there is no room for it.
    mutating func put(_ record: LogRecord, _ format: LogFormat, _ bytesMax: Int) -> Bool {
        guard pending.count - start < bytesMax else { return false }
        if start > bytesMax / 2 {
            pending.removeFirst(start)
            start = 0
        }
        format.append(record, to: &pending)
        return true
    }

    /// Says that lines are missing, as soon as there is room for that.
    mutating func tellOfLost(_ format: LogFormat, _ ring: LogRing, _ bytesMax: Int) {
        guard lost > 0 else { return }
        let record = LogRecord(
            time: .now, level: .warning, event: .said("\(lost) lines were lost: the log's output was too slow", nil))
        guard put(record, format, bytesMax) else { return }
        ring.add([record])
        lost = 0
    }

    /// Writes as much as is taken at once. True when nothing is left.
    mutating func write() -> Bool {
        while start < pending.count {
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&ready, 1, 0) > 0 else { return false }
            let count = min(pieceMax, pending.count - start)
            let written = pending.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + start, count) }
            if written < 0, errno == EINTR { continue }
            if written < 0, errno == EAGAIN { return false }
            // Nobody will ever read it.
            start = written < 0 ? pending.count : start + written
        }
        pending.removeAll(keepingCapacity: pending.capacity < 1 << 18)
        start = 0
        return true
    }
}

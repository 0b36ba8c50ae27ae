import Glibc
import HTTPServer
import Model
import Scheduling
import Store
import Synchronization

/// A writer of the log on a thread of its own, so that a destination that nobody reads blocks no caller. It keeps the
/// latest records for requests by HTTP.
final class ServerLogWriter: Sendable {
    private struct State {
        /// The latest records: those that were written, and then those that wait.
        var records: [ServerLogRecord] = []
        var writtenCount = 0
        /// The number of dropped lines, and how many of them were not reported yet.
        var droppedCount = 0
        var unreportedCount = 0
        /// A Boolean value indicating whether the thread was woken for the records that wait.
        var isWoken = false
        var thread: DedicatedThread?
    }

    /// The number of written records that are kept.
    static let keptMax = 1000
    /// The maximum number of records that wait. Further ones are dropped.
    private static let waitingMax = 10_000
    /// The pause between two turns. Many lines are written together, and logging rarely costs a wake-up.
    private static let pauseMicroseconds: UInt32 = 10_000
    private static let closingMilliseconds: Int64 = 1000

    private let format: ServerLogFormat
    private let descriptor: Int32
    private let state = Mutex(State())
    private let wakeEvent = Semaphore()
    /// The lines that are being written. Its lock gives them an order.
    private let lines = Mutex<[UInt8]>([])
    /// The monotonic milliseconds until which the destination may be full. Without a thread it is in the past, because
    /// the caller would wait.
    private let deadline = Atomic<Int64>(0)

    init(_ format: ServerLogFormat, descriptor: Int32) { (self.format, self.descriptor) = (format, descriptor) }

    var droppedCount: Int { state.withLock { $0.droppedCount } }

    /// Returns the latest records of a level or a more severe one, the newest last.
    func last(_ count: Int, upTo level: ServerLogLevel) -> [ServerLogRecord] {
        state.withLock { $0.records.suffix(Self.keptMax) }.filter { $0.level <= level }.suffix(count)
    }

    /// Adds a record, and wakes the thread. Without a thread, writes the record.
    func add(_ record: ServerLogRecord) {
        let hasThread = state.withLock { state in
            if state.records.count - state.writtenCount < Self.waitingMax {
                state.records.append(record)
            } else {
                (state.droppedCount, state.unreportedCount) = (state.droppedCount + 1, state.unreportedCount + 1)
            }
            guard state.thread != nil else { return false }
            if !state.isWoken { wakeEvent.open() }
            state.isWoken = true
            return true
        }
        if !hasThread { writeRecords() }
    }

    func start() {
        state.withLock { state in
            guard state.thread == nil else { return }
            deadline.store(.max, ordering: .releasing)
            state.thread = DedicatedThread("log") { self.run() }
            if state.thread == nil { deadline.store(0, ordering: .releasing) }
        }
    }

    func close() {
        deadline.store(MonotonicClock.now() + Self.closingMilliseconds, ordering: .releasing)
        wakeEvent.open()
        state.withLock { state in
            defer { state.thread = nil }
            return state.thread
        }?.wait()
        writeRecords()
    }

    private func run() {
        while deadline.load(ordering: .acquiring) == .max {
            wakeEvent.wait()
            usleep(Self.pauseMicroseconds)
            writeRecords()
        }
    }

    private func writeRecords() {
        lines.withLock { lines in
            let records = state.withLock { state in
                state.isWoken = false
                if state.unreportedCount > 0 {
                    let message = "\(state.unreportedCount) lines were lost: the log's output was too slow"
                    state.records.append(ServerLogRecord(time: .now, level: .warning, event: .message(message, nil)))
                    state.unreportedCount = 0
                }
                return Array(state.records[state.writtenCount...])
            }
            for record in records { format.append(record, to: &lines) }
            write(lines)
            lines.removeAll(keepingCapacity: lines.capacity < 1 << 18)
            state.withLock { state in
                state.writtenCount += records.count
                // The oldest are removed now and then, because that moves the others.
                guard state.writtenCount > 2 * Self.keptMax else { return }
                state.records.removeFirst(state.writtenCount - Self.keptMax)
                state.writtenCount = Self.keptMax
            }
        }
    }

    /// Writes to the destination, and waits while it is full. Bytes after the deadline or an error are discarded,
    /// because there is no other place to report them.
    private func write(_ bytes: [UInt8]) {
        var start = 0
        while start < bytes.count {
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            let mayWait = MonotonicClock.now() < deadline.load(ordering: .acquiring)
            let readyCount = poll(&ready, 1, mayWait ? 100 : 0)
            if readyCount == 0, !mayWait { return }
            guard readyCount > 0 else { continue }
            // A pipe that is ready takes this many bytes without blocking.
            let count = min(Int(PIPE_BUF), bytes.count - start)
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + start, count) }
            if written >= 0 { start += written } else if errno != EINTR, errno != EAGAIN { return }
        }
    }
}

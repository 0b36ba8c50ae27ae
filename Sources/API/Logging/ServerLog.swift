import Dispatch
import Glibc
package import HTTPServer
import Measures
import Model
import Synchronization

/// The server's log for its operator, on standard error: messages and requests.
///
/// Callers append a record and continue. A queue of its own writes the records, so a standard error that nobody reads
/// blocks no caller. Records beyond a bound are dropped and counted, and the log reports their number. The latest
/// records are kept for requests by HTTP.
package final class ServerLog: Sendable {
    private struct State {
        /// The latest records: those that were written, and then those that wait.
        var records: [ServerLogRecord] = []
        var writtenCount = 0
        /// The number of dropped lines, and how many of them were not reported yet.
        var droppedCount = 0
        var unreportedCount = 0
        /// A Boolean value indicating whether the destination did not take the last lines: it could not take a report.
        var isFailing = false
        /// A Boolean value indicating whether records are written by the queue, and not by the caller.
        var isStarted = false
        /// A Boolean value indicating whether the queue is to write the records that wait.
        var isScheduled = false
    }

    /// The number of written records that are kept.
    static let keptMax = 1000
    /// The maximum number of records that wait. Further ones are dropped.
    private static let waitingMax = 10_000
    /// The delay after which records are written. Many lines are written together, and logging rarely costs a wake-up.
    private static let delay = DispatchTimeInterval.milliseconds(10)
    private static let closingMilliseconds: Int64 = 1000

    private let format: ServerLogFormat
    private let descriptor: Int32
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "lectern.log")
    /// The lines that are being written. Its lock gives them an order.
    private let lines = Mutex<[UInt8]>([])
    /// The monotonic milliseconds until which the destination may be full. Before `start` it is in the past, because
    /// the caller would wait.
    private let deadline = Atomic<Int64>(0)
    private let levelNow: Atomic<Int>
    private let wantsRequests: Atomic<Bool>

    /// Creates a log that includes a level and all more severe ones. Records are written at once before `start` and
    /// after `close`.
    package init(
        level: ServerLogLevel, saysRequests: Bool = false, format: ServerLogFormat = .text, descriptor: Int32 = 2
    ) {
        levelNow = Atomic(level.rawValue)
        wantsRequests = Atomic(saysRequests)
        (self.format, self.descriptor) = (format, descriptor)
    }

    /// The least severe level that is logged.
    package var level: ServerLogLevel {
        get { ServerLogLevel(rawValue: levelNow.load(ordering: .relaxed)) ?? .info }
        set { levelNow.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// A Boolean value indicating whether every request is logged at the level `info`.
    package var saysRequests: Bool {
        get { wantsRequests.load(ordering: .relaxed) }
        set { wantsRequests.store(newValue, ordering: .relaxed) }
    }

    /// The number of dropped lines.
    var droppedCount: Int { state.withLock { $0.droppedCount } }

    /// Returns the latest records of a level or a more severe one, the newest last.
    func last(_ count: Int, upTo level: ServerLogLevel) -> [ServerLogRecord] {
        state.withLock { $0.records.suffix(Self.keptMax) }.filter { $0.level <= level }.suffix(count)
    }

    /// Logs a fault, and the request that it belongs to if there is one.
    package func error(_ message: @autoclosure () -> String, of request: RequestID? = nil) {
        write(.error, message(), request)
    }

    /// Logs an unusual condition.
    package func warning(_ message: @autoclosure () -> String) { if level >= .warning { write(.warning, message()) } }

    /// Logs an action of the service.
    package func info(_ message: @autoclosure () -> String) { if level >= .info { write(.info, message()) } }

    /// Logs a detail.
    package func debug(_ message: @autoclosure () -> String) { if level >= .debug { write(.debug, message()) } }

    private func write(_ level: ServerLogLevel, _ message: String, _ request: RequestID? = nil) {
        add(ServerLogRecord(time: .now, level: level, event: .message(message, request)))
    }

    /// Logs the end of a request of an event loop.
    @inline(__always)
    func request(_ end: RequestEnd) {
        let level = end.logLevel
        let most = self.level
        guard level <= most, level < .info || most == .debug || level == .info && saysRequests else { return }
        add(ServerLogRecord(time: .now, level: level, event: .request(end)))
    }

    /// Adds a record, and has it written soon. Before `start` and after `close`, writes it at once.
    private func add(_ record: ServerLogRecord) {
        let isStarted = state.withLock { state in
            if state.records.count - state.writtenCount < Self.waitingMax {
                state.records.append(record)
            } else {
                (state.droppedCount, state.unreportedCount) = (state.droppedCount + 1, state.unreportedCount + 1)
            }
            guard state.isStarted, !state.isScheduled else { return state.isStarted }
            state.isScheduled = true
            queue.asyncAfter(deadline: .now() + Self.delay) { self.writeRecords() }
            return true
        }
        if !isStarted { writeRecords() }
    }

    /// Has later records written by the queue.
    func start() {
        deadline.store(.max, ordering: .releasing)
        state.withLock { $0.isStarted = true }
    }

    /// Writes the remaining records, for at most a second.
    package func close() {
        deadline.store(MonotonicClock.now() + Self.closingMilliseconds, ordering: .releasing)
        state.withLock { $0.isStarted = false }
        writeRecords()
    }

    private func writeRecords() {
        lines.withLock { lines in
            let records = state.withLock { state in
                state.isScheduled = false
                if state.unreportedCount > 0, !state.isFailing {
                    let message = "\(state.unreportedCount) lines were lost: the log's output was full or too slow"
                    state.records.append(ServerLogRecord(time: .now, level: .warning, event: .message(message, nil)))
                    state.unreportedCount = 0
                }
                return Array(state.records[state.writtenCount...])
            }
            for record in records { format.append(record, to: &lines) }
            let count = send(lines)
            let lineFeed = UInt8(ascii: "\n")
            // A line feed at the start ends a line that was cut; it is kept until it is written.
            let isCut = count > 0 ? lines[count - 1] != lineFeed : lines.first == lineFeed
            let lostCount = lines.dropFirst(max(count, 1)).count { $0 == lineFeed }
            lines.removeAll(keepingCapacity: lines.capacity < 1 << 18)
            if isCut { lines.append(lineFeed) }
            state.withLock { state in
                state.isFailing = lostCount > 0
                state.droppedCount += lostCount
                state.unreportedCount += lostCount
                state.writtenCount += records.count
                // The oldest are removed now and then, because that moves the others.
                guard state.writtenCount > 2 * Self.keptMax else { return }
                state.records.removeFirst(state.writtenCount - Self.keptMax)
                state.writtenCount = Self.keptMax
            }
        }
    }

    /// Sends bytes to the destination, and waits while it is full. Returns the number of bytes that it took before the
    /// deadline or an error.
    private func send(_ bytes: [UInt8]) -> Int {
        var start = 0
        while start < bytes.count {
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            let mayWait = MonotonicClock.now() < deadline.load(ordering: .acquiring)
            let readyCount = poll(&ready, 1, mayWait ? 100 : 0)
            if readyCount == 0, !mayWait { return start }
            guard readyCount > 0 else { continue }
            // A pipe that is ready takes this many bytes without blocking.
            let count = min(Int(PIPE_BUF), bytes.count - start)
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + start, count) }
            if written >= 0 { start += written } else if errno != EINTR, errno != EAGAIN { return start }
        }
        return start
    }
}

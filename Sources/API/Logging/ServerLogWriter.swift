import CLinux
import Glibc
import HTTPServer
import Scheduling
import Synchronization

/// A writer of the log on a thread of its own, which does not block if nobody reads. Lines that the destination does
/// not take are kept up to a bound, and then dropped.
final class ServerLogWriter: Sendable {
    /// The maximum number of formatted bytes that wait for the destination.
    static let pendingBytesMax = 1 << 20
    /// The pause between two turns. Many lines are written together, and logging rarely costs a wake-up.
    private static let pauseMicroseconds: UInt32 = 10_000
    private static let closingMilliseconds: Int64 = 1000

    /// The maximum number of records that wait to be formatted.
    private static let waitingMax = 16_384
    private let waiting = Mutex<(records: [ServerLogRecord], dropped: Int)>(([], 0))
    let ring = RecentServerLogRecords()
    private let format: ServerLogFormat
    private let descriptor: Int32
    private let wakeEvent: Int32
    private let isRung = Atomic(false)
    private let dropped = Atomic<Int>(0)
    /// The time by which the thread must end, in monotonic milliseconds, or 0 before `close`.
    private let deadline = Atomic<Int64>(0)
    private let thread = Mutex<DedicatedThread?>(nil)
    private let hasThread = Atomic(false)
    private let pen: Mutex<ServerLogOutput>

    init(_ format: ServerLogFormat, descriptor: Int32) {
        (self.format, self.descriptor) = (format, descriptor)
        wakeEvent = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        precondition(wakeEvent >= 0, "eventfd failed")
        pen = Mutex(ServerLogOutput(descriptor))
    }

    // The thread has ended, so the descriptor is not in use.
    deinit { Glibc.close(wakeEvent) }

    var droppedCount: Int { dropped.load(ordering: .relaxed) }

    /// Adds a record, and wakes the thread.
    func add(_ record: ServerLogRecord) {
        waiting.withLock { waiting in
            if waiting.records.count < Self.waitingMax { waiting.records.append(record) } else { waiting.dropped += 1 }
        }
        if !hasThread.load(ordering: .acquiring) { return writeNow() }
        if isRung.load(ordering: .relaxed) { return }
        wakeThread()
    }

    private func wakeThread() {
        guard !isRung.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var one: UInt64 = 1
        // It fails only if the event counter overflows.
        _ = write(wakeEvent, &one, 8)
    }

    func start() {
        thread.withLock { thread in
            guard thread == nil else { return }
            thread = DedicatedThread("log") { self.run() }
            hasThread.store(thread != nil, ordering: .releasing)
        }
    }

    func close() {
        deadline.store(MonotonicClock.now() + Self.closingMilliseconds, ordering: .releasing)
        wakeThread()
        let running = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        running?.wait()
        hasThread.store(false, ordering: .releasing)
        writeNow()
    }

    private func run() {
        while true {
            let end = deadline.load(ordering: .acquiring)
            isRung.store(false, ordering: .sequentiallyConsistent)
            let isEmpty = pen.withLock { pen in
                take(into: &pen)
                return pen.write()
            }
            if end > 0, isEmpty || MonotonicClock.now() >= end { return }
            wait(forReader: !isEmpty, isClosing: end > 0)
        }
    }

    /// Waits until there is a new record, or until the destination can be written to.
    private func wait(forReader: Bool, isClosing: Bool) {
        var watched = [
            pollfd(fd: wakeEvent, events: Int16(POLLIN), revents: 0),
            pollfd(fd: forReader ? descriptor : -1, events: Int16(POLLOUT), revents: 0),
        ]
        // A signal may end the wait early, which is harmless.
        _ = poll(&watched, 2, isClosing ? 10 : 1000)
        guard watched[0].revents != 0 else { return }
        var rung: UInt64 = 0
        // It fails if the event counter is zero.
        _ = read(wakeEvent, &rung, 8)
        if !isClosing { usleep(Self.pauseMicroseconds) }
    }

    /// Writes on the caller's thread, before `start` and after `close`.
    private func writeNow() {
        pen.withLock { pen in
            take(into: &pen)
            // Bytes that standard error does not accept are written with the next line. There is no other place to
            // report them.
            _ = pen.write()
        }
    }

    private func take(into pen: inout ServerLogOutput) {
        var lost = waiting.withLock { waiting in
            swap(&waiting.records, &pen.taken)
            defer { waiting.dropped = 0 }
            return waiting.dropped
        }
        for record in pen.taken where !pen.put(record, format, Self.pendingBytesMax) { lost += 1 }
        ring.add(pen.taken)
        pen.taken.removeAll(keepingCapacity: true)
        guard lost > 0 else { return pen.writeLostCount(format, ring, Self.pendingBytesMax) }
        pen.lost += lost
        dropped.wrappingAdd(lost, ordering: .relaxed)
    }
}

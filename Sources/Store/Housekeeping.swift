import Glibc
import Model
import Synchronization

/// What the writer does besides: checkpoints, retention, and the full disk.
struct Housekeeping {
    private let connection: Connection
    private let counters: StoreCounters
    private let ballast: Ballast
    private let fail: @Sendable (String) -> Never
    private var checkpoints: Checkpoints
    private var retention: Retention
    private var probeAt = 0
    private var isFull = false

    init(
        _ connection: Connection, _ configuration: StoreConfiguration, _ counters: StoreCounters, directory: String,
        fail: @escaping @Sendable (String) -> Never
    ) throws(SQLiteError) {
        self.connection = connection
        self.counters = counters
        self.fail = fail
        ballast = Ballast(directory: directory, bytes: configuration.ballastBytes)
        checkpoints = Checkpoints(connection, configuration, counters, directory: directory)
        retention = try Retention(connection, configuration, at: .now)
        if !ballast.take() { noteFull() }
    }

    /// The time by which idempotency keys are kept: see `HouseClock`.
    var time: Instant { retention.time(.now) }

    /// After each batch, and about once a second without one; `head` is the log's last change. True when there is more to
    /// do as soon as nothing else waits.
    mutating func tend(isIdle: Bool, head: Int64) -> Bool {
        guard mayWrite() else { return false }
        do throws(SQLiteError) {
            try checkpoints.tend(isIdle: isIdle)
            return try retention.tend(isIdle: isIdle, head: head, at: .now)
        } catch {
            recover(from: error)
            return false
        }
    }

    /// The last checkpoint. What it cannot copy, for a reader is in the way, the next start copies.
    mutating func finish() {
        do throws(SQLiteError) { try checkpoints.finish() } catch { recover(from: error) }
    }

    /// A write for the house's own sake failed: nobody waits for it, but a disk that could not say whether it has what it
    /// was given cannot be written on.
    private mutating func recover(from error: SQLiteError) {
        if connection.isInTransaction { try? connection.run("ROLLBACK") }
        if error.isDiskFault {
            fail(
                "The disk failed (\(error.message), code \(error.code)). What it holds is not known; nothing more is written."
            )
        }
        if error.isFull { noteFull() }
    }

    /// The disk is full: gives the ballast back, so that reading and a checkpoint have room.
    mutating func noteFull() {
        isFull = true
        counters.isFull.store(true, ordering: .relaxed)
        ballast.give()
        probeAt = seconds + 1
        do throws(SQLiteError) { try checkpoints.copy() } catch {
            if error.isDiskFault { recover(from: error) }
        }
    }

    /// Whether there is room again, looked up at most once a second while there was none.
    mutating func mayWrite() -> Bool {
        guard isFull else { return true }
        guard seconds >= probeAt else { return false }
        probeAt = seconds + 1
        guard ballast.fitsComfortably, ballast.take() else { return false }
        isFull = false
        counters.isFull.store(false, ordering: .relaxed)
        return true
    }

    /// The monotonic clock.
    private var seconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec
    }
}

import CSQLite
import Model
import Synchronization

/// What the writer does besides: checkpoints, retention, the search index of an earlier version, and the full disk.
struct Housekeeping {
    private let connection: Connection
    private let counters: StoreCounters
    private let ballast: Ballast
    private let fail: @Sendable (String) -> Never
    private var checkpoints: Checkpoints
    private let doomed: DoomedEntries
    private var departures: Departures
    private var renewal: SearchRenewal
    private var retention: Retention
    private let lock: DirectoryLock
    private let files: OpenFiles
    private let checkup: Checkup
    private let occupancy: Occupancy
    private var lookedAt = 0
    private var countedAt = 0
    /// The last change that the lock says.
    private var noted: Int64 = 0
    private var probeAt = 0
    private var isFull = false

    init(
        _ connection: Connection, _ configuration: StoreConfiguration, _ counters: StoreCounters,
        _ directory: DataDirectory, _ lock: DirectoryLock, _ ballast: Ballast, hasRoom: Bool, _ checkup: Checkup,
        fail: @escaping @Sendable (String) -> Never, isAwaited: @escaping @Sendable () -> Bool,
        say: @escaping @Sendable (Notice) -> Void
    ) throws(SQLiteError) {
        self.connection = connection
        self.counters = counters
        self.fail = fail
        self.lock = lock
        self.ballast = ballast
        self.checkup = checkup
        checkpoints = Checkpoints(connection, configuration, counters, directory)
        retention = try Retention(connection, configuration, at: .now)
        doomed = DoomedEntries(connection, configuration)
        departures = Departures(connection, configuration)
        renewal = try SearchRenewal(connection, configuration, counters, isAwaited: isAwaited, say: say)
        files = OpenFiles(directory)
        occupancy = Occupancy(directory)
        // Before anybody is served: who asks in the first second is told, too.
        occupancy.note(in: counters)
        do throws(StoreError) { try EndRecord.remove(in: directory) } catch {
            throw SQLiteError(code: SQLITE_IOERR, message: "\(error)")
        }
        guard lock.noteBeginning(served: try connection.number("SELECT max(seq) FROM changes") ?? 0) else {
            throw SQLiteError(code: SQLITE_IOERR, message: "the lock file cannot be synced: \(DataDirectory.reason())")
        }
        if !hasRoom { noteFull() }
    }

    /// The time by which idempotency keys are kept: see `HouseClock`.
    var time: Instant { retention.time(.now) }

    /// Whether others are to be told of somebody who left.
    var isToTellDeparture: Bool { departures.isToTell }

    /// Whether a change to many rows is under way.
    private(set) var hasChores = false

    /// Whether the search index is not whole yet.
    var isRenewing: Bool { renewal.isUnderWay }

    /// After each batch, and about once a second without one; `head` is the log's last change. True when there is more to
    /// do as soon as nothing else waits.
    mutating func tend(isIdle: Bool, head: Int64) -> Bool {
        look(head: head)
        guard mayWrite() else { return false }
        do throws(SQLiteError) {
            // A slice was written right before: that nobody else writes does not make this a time of rest.
            let isIdle = isIdle && !isRenewing
            try checkpoints.tend(isIdle: isIdle)
            let hasDoomed = try doomed.tend()
            let hasStale = try renewal.tend()
            let hasGone = try departures.tend(&checkpoints)
            hasChores = try NoteChore.areThere(in: connection)
            if !hasChores { hasChores = try Relabeling.areThere(in: connection) }
            let hasOld = try retention.tend(isIdle: isIdle, head: head, at: .now)
            try countReports()
            return hasDoomed || hasStale || hasGone || hasOld
        } catch {
            recover(from: error)
            return false
        }
    }

    /// Once a second: notes how many reports wait for a decision.
    private mutating func countReports() throws(SQLiteError) {
        guard countedAt != lookedAt else { return }
        countedAt = lookedAt
        counters.set(.openReports, Int(try ReportTable.countOpen(in: connection)))
    }

    /// Once a second: notes what has been served, and whether that is still where it will be looked for.
    private mutating func look(head: Int64) {
        let now = MonotonicTime.seconds
        guard now != lookedAt else { return }
        lookedAt = now
        counters.set(.turn, MonotonicTime.microseconds)
        counters.set(.firstChange, Int(retention.first))
        counters.set(.lastChange, Int(head))
        occupancy.note(in: counters)
        if head != noted { lock.note(served: head) }
        noted = head
        guard let lost = files.firstLost() else { return }
        // If only the log is gone, its content can still be saved. The process ends and reports whether it was.
        let isSaved = (try? checkpoints.copy()) != nil && files.isDatabaseThere
        fail(
            "\(lost) was deleted, moved or replaced while the server ran on it. "
                + (isSaved
                    ? "What was acknowledged is in the database: start again."
                    : "What was acknowledged can no longer be found under its name: put the file back, or restore a backup.")
        )
    }

    /// The last checkpoint. What it cannot copy, for a reader is in the way, the next start copies.
    mutating func finish(head: Int64) {
        lock.note(served: head)
        // The log stays as a sign that the check is still to be done.
        if checkup.state != .ok { connection.keepLogAtClose() }
        do throws(SQLiteError) { try checkpoints.finish() } catch { recover(from: error) }
    }

    /// A write for the house's own sake failed: nobody waits for it, but a disk that could not say whether it has what it
    /// was given cannot be written on.
    private mutating func recover(from error: SQLiteError) {
        do throws(SQLiteError) { try connection.rollBack() } catch { fail(Writer.stuck(error)) }
        connection.knownWords.forget()
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
        probeAt = MonotonicTime.seconds + 1
        do throws(SQLiteError) { try checkpoints.copy() } catch {
            if error.isDiskFault { recover(from: error) }
        }
    }

    /// Gives the room of the write-ahead log back: on a full disk it may be all the room that there is, held by a read that has ended.
    private mutating func cutLog() {
        do throws(SQLiteError) { _ = try checkpoints.cut() } catch {
            if error.isDiskFault { recover(from: error) }
        }
    }

    /// Whether there is room again, looked up at most once a second while there was none.
    mutating func mayWrite() -> Bool {
        guard isFull else { return true }
        guard MonotonicTime.seconds >= probeAt else { return false }
        probeAt = MonotonicTime.seconds + 1
        cutLog()
        // If the ballast cannot be allocated, writes stay refused, and it is tried again in a second.
        guard ballast.fitsComfortably, (try? ballast.take()) ?? false else { return false }
        isFull = false
        counters.isFull.store(false, ordering: .relaxed)
        return true
    }
}

import CSQLite
import Measures
import Model

/// The writer's maintenance: checkpoints, retention, deletions, and handling of a full disk.
struct WriterMaintenance {
    private let connection: SQLiteConnection
    private let counters: StoreCounters
    private let ballast: DiskSpaceReserve
    private let fail: @Sendable (String) -> Never
    private var checkpoints: CheckpointPolicy
    private let deletedReadingEntries: DeletedReadingCleanup
    private var departures: ReaderDepartures
    private var retention: LogRetention
    private let lock: DirectoryLock
    private let files: FileIdentities
    private let crashCheck: PostCrashCheck
    private let directory: DataDirectory
    private var lookedAt = 0
    /// The last change that is recorded in the lock file.
    private var recorded: Int64 = 0
    private var probeAt = 0

    init(
        _ connection: SQLiteConnection, _ configuration: StoreConfiguration, _ counters: StoreCounters,
        _ directory: DataDirectory, _ lock: DirectoryLock, _ ballast: DiskSpaceReserve, hasRoom: Bool,
        _ crashCheck: PostCrashCheck,
        fail: @escaping @Sendable (String) -> Never
    ) throws(SQLiteError) {
        self.connection = connection
        self.counters = counters
        self.fail = fail
        self.lock = lock
        self.ballast = ballast
        self.crashCheck = crashCheck
        checkpoints = CheckpointPolicy(connection, configuration, counters, directory)
        retention = try LogRetention(connection, configuration, at: .now)
        deletedReadingEntries = DeletedReadingCleanup(connection, configuration)
        departures = try ReaderDepartures(connection, configuration, counters)
        files = FileIdentities(directory)
        self.directory = directory
        // Before the first request, so that the disk usage is known in the first second.
        directory.recordUsage(in: counters)
        do throws(StoreError) { try CleanShutdownRecord.remove(in: directory) } catch {
            throw SQLiteError(code: SQLITE_IOERR, message: "\(error)")
        }
        guard lock.recordStart(served: try connection.number("SELECT max(seq) FROM changes") ?? 0) else {
            throw SQLiteError(code: SQLITE_IOERR, message: "cannot sync the lock file: \(DataDirectory.reason())")
        }
        if !hasRoom { recordFullDisk() }
    }

    /// The time for the expiry of idempotency keys; see `LogRetentionClock`.
    var time: Instant { retention.time(.now) }

    /// A Boolean value indicating whether changes about deleted readers are still to be sent to others.
    var hasDepartureEvents: Bool { departures.hasEvents }

    /// A Boolean value indicating whether a change to many rows is in progress.
    private(set) var hasBulkChanges = false

    /// Performs maintenance after each batch, and about once a second without one; `head` is the log's last change.
    /// Returns `true` if more work is ready as soon as no command waits.
    mutating func runMaintenance(isIdle: Bool, head: Int64) -> Bool {
        let isNewSecond = checkOnceASecond(head: head)
        guard mayWrite() else { return false }
        do throws(SQLiteError) {
            try checkpoints.runMaintenance(isIdle: isIdle)
            let hasDeletedEntries = try deletedReadingEntries.runMaintenance()
            let hasDepartures = try departures.runMaintenance(&checkpoints)
            hasBulkChanges = try BulkChange.first(in: connection) != nil
            let hasOld = try retention.runMaintenance(isIdle: isIdle, head: head, at: .now)
            if isNewSecond { counters.set(.openReports, Int(try ContentReportTable.countOpen(in: connection))) }
            return hasDeletedEntries || hasDepartures || hasOld
        } catch {
            recover(from: error)
            return false
        }
    }

    /// Records the last change once a second, updates the counters, and checks that the database files are still in
    /// place. Returns `false` if that was already done in this second.
    private mutating func checkOnceASecond(head: Int64) -> Bool {
        let now = MonotonicClock.seconds()
        guard now != lookedAt else { return false }
        lookedAt = now
        counters.set(.turn, MonotonicClock.microseconds())
        counters.set(.firstChange, Int(retention.first))
        counters.set(.lastChange, Int(head))
        directory.recordUsage(in: counters)
        if head != recorded { lock.record(served: head) }
        recorded = head
        guard let lost = files.firstLost() else { return true }
        // If only the log is missing, a checkpoint can still save its content. The process ends and reports the result.
        let isSaved = (try? checkpoints.copy()) != nil && files.isDatabaseThere
        fail(
            "\(lost) was deleted, moved or replaced while the server ran on it. "
                + (isSaved
                    ? "All acknowledged writes are in the database. Start the server again."
                    : "The acknowledged writes are no longer in the file of that name. Put the file back, or restore a backup.")
        )
    }

    /// Runs the last checkpoint. If a reader prevents it, the next start copies the rest.
    mutating func finish(head: Int64) {
        lock.record(served: head)
        // The log is kept as a sign that the check is not complete.
        if crashCheck.state != .ok { connection.keepLogAtClose() }
        do throws(SQLiteError) { try checkpoints.finish() } catch { recover(from: error) }
    }

    /// Handles a failed maintenance write, for which no client waits. Ends the process after a disk fault, because the
    /// disk may or may not have stored the data.
    private mutating func recover(from error: SQLiteError) {
        do throws(SQLiteError) { try connection.rollBack() } catch { fail(Writer.rollbackFailure(error)) }
        connection.knownWords = []
        if error.isDiskFault {
            fail(
                "The disk failed (\(error.message), code \(error.code)). Its contents are unknown, and nothing more is written."
            )
        }
        if error.isFull { recordFullDisk() }
    }

    /// Handles a full disk: releases the ballast, so that reads and a checkpoint have space.
    mutating func recordFullDisk() {
        counters.set(.outOfSpace, 1)
        ballast.release()
        probeAt = MonotonicClock.seconds() + 1
        do throws(SQLiteError) { try checkpoints.copy() } catch {
            if error.isDiskFault { recover(from: error) }
        }
    }

    /// Returns a Boolean value indicating whether there is space to write. While there was none, checks at most once a
    /// second.
    mutating func mayWrite() -> Bool {
        guard counters[.outOfSpace] != 0 else { return true }
        guard MonotonicClock.seconds() >= probeAt else { return false }
        probeAt = MonotonicClock.seconds() + 1
        // The space of the write-ahead log, held by a read that has ended, may be all that is left.
        do throws(SQLiteError) { _ = try checkpoints.cut() } catch {
            if error.isDiskFault { recover(from: error) }
        }
        // If the ballast cannot be allocated, writes stay refused until a later try succeeds.
        guard ballast.fitsComfortably, (try? ballast.take()) ?? false else { return false }
        counters.set(.outOfSpace, 0)
        return true
    }
}

import CSQLite
import Glibc
import Measures

/// The policy that checkpoints and truncates the write-ahead log. All checkpoints are run here.
struct CheckpointPolicy {
    private let connection: SQLiteConnection
    private let configuration: StoreConfiguration
    private let counters: StoreCounters
    private let path: String
    private let frames = Frames()
    /// The number of frames that are already in the database.
    private var copied = 0
    /// The number of frames that the last checkpoint could not copy because of an older read snapshot.
    private var held = 0
    /// The number of frames below which held frames are ignored. A read that has just begun may hold as many. They are
    /// less than a mebibyte, the smallest limit that can be set for them.
    private static let heldMin = 250
    /// The time of the next try, in monotonic microseconds, after a long read kept a checkpoint from copying all
    /// frames.
    private var retryAt = 0
    private static let retryMicroseconds = 1_000_000
    private static let patienceMilliseconds: Int32 = 100
    /// The time from which truncating waits for reads again, in monotonic microseconds. A read that outlasts this wait
    /// belongs to an export or a check, not to a request.
    private var patientAt = 0
    private static let pauseMicroseconds = 10_000_000
    private var size: CheckpointThreshold

    /// The size of the log after the last commit. SQLite's WAL hook updates it on the writer thread.
    private final class Frames {
        var count = 0
        /// The total weight of the commits since the last checkpoint.
        var weight = 0

        func recordCommit(count new: Int) {
            // After a reset the log contains only this commit.
            weight += CheckpointThreshold.weight(ofCommit: new > count ? new - count : new)
            count = new
        }
    }

    init(
        _ connection: SQLiteConnection, _ configuration: StoreConfiguration, _ counters: StoreCounters,
        _ directory: DataDirectory
    ) {
        self.connection = connection
        self.configuration = configuration
        self.counters = counters
        path = directory.log
        size = CheckpointThreshold(framesMax: configuration.checkpointFrames)
        // Only a truncating checkpoint waits, and only for reads, none of which outlasts a request.
        // The call fails only for an invalid handle.
        sqlite3_busy_timeout(connection.handle, Self.patienceMilliseconds)
        sqlite3_wal_hook(
            connection.handle,
            { context, _, _, count in
                // SAFETY: `finish` removes the hook before the frames are released, and commits end before that.
                Unmanaged<Frames>.fromOpaque(context!).takeUnretainedValue().recordCommit(count: Int(count))
                return SQLITE_OK
            }, Unmanaged.passUnretained(frames).toOpaque())
    }

    /// Runs a checkpoint if one is due. Called after each batch, and when the writer has been idle.
    mutating func runMaintenance(isIdle: Bool) throws(SQLiteError) {
        // SQLite resets the log when all frames are copied and no reader uses it.
        if frames.count < copied { (copied, retryAt) = (0, 0) }
        let waiting = frames.count - copied
        counters.set(.walFrames, waiting)
        if isIdle { return try rest() }
        let weight = frames.weight
        let isDue = weight >= size.frames
        // Retries held frames even if little has been written since: they count as held until a checkpoint copies them.
        guard isDue || held >= Self.heldMin else { return }
        let now = MonotonicClock.microseconds()
        guard now >= retryAt else { return }
        if bytes > configuration.walBytesMax { try cutLong() } else { try run(SQLITE_CHECKPOINT_PASSIVE) }
        if isDue { size.record(MonotonicClock.microseconds() - now, of: weight) }
        retryAt = held > 0 ? now + Self.retryMicroseconds : 0
    }

    /// Copies the waiting frames while the writer is idle, and truncates a long log without waiting for readers.
    private mutating func rest() throws(SQLiteError) {
        retryAt = 0
        if frames.count > copied { try run(SQLITE_CHECKPOINT_PASSIVE) }
        guard bytes > configuration.walIdleBytesMax else { return }
        _ = try cut()
    }

    private mutating func cutLong() throws(SQLiteError) {
        let now = MonotonicClock.microseconds()
        guard now >= patientAt else {
            _ = try cut()
            return
        }
        try run(SQLITE_CHECKPOINT_TRUNCATE)
        if bytes > 0 { patientAt = now + Self.pauseMicroseconds }
    }

    /// Copies all frames that can be copied without waiting for readers.
    mutating func copy() throws(SQLiteError) { try run(SQLITE_CHECKPOINT_PASSIVE) }

    /// Copies all frames and truncates the log, without waiting for readers. Returns `false` if a reader prevented the
    /// truncation.
    mutating func cut() throws(SQLiteError) -> Bool {
        // As in `init`.
        sqlite3_busy_timeout(connection.handle, 0)
        defer { sqlite3_busy_timeout(connection.handle, Self.patienceMilliseconds) }
        try run(SQLITE_CHECKPOINT_TRUNCATE)
        return bytes == 0
    }

    /// Runs the last checkpoint, which also truncates the log.
    mutating func finish() throws(SQLiteError) {
        defer { sqlite3_wal_hook(connection.handle, nil, nil) }
        try run(SQLITE_CHECKPOINT_TRUNCATE)
    }

    /// The size of the log file in bytes.
    private var bytes: Int64 { DataDirectory.size(path) ?? 0 }

    private mutating func run(_ mode: Int32) throws(SQLiteError) {
        var count: Int32 = 0
        var copied: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(connection.handle, nil, mode, &count, &copied)
        // `SQLITE_BUSY` because of a reader is not a failure: SQLite copied the frames that it could.
        guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else { throw connection.error(code) }
        // After a truncation both counts are zero.
        frames.count = max(Int(count), 0)
        frames.weight = 0
        self.copied = max(Int(copied), 0)
        held = max(frames.count - self.copied, 0)
        counters.set(.walFrames, held)
        counters.set(.walFramesHeld, held)
    }
}

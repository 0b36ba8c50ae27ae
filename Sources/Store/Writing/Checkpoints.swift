import CSQLite
import Glibc
import Synchronization

/// When the write-ahead log is copied into the database, and cut. Nobody else checkpoints.
struct Checkpoints {
    private let connection: Connection
    private let configuration: StoreConfiguration
    private let counters: StoreCounters
    private let path: String
    private let frames = Frames()
    /// The frames of the log that are in the database already.
    private var copied = 0
    /// The frames that the last checkpoint could not copy, because a read looks at what was before them.
    private var held = 0
    /// So few frames a read holds that has just begun: less than a mebibyte, which nobody can ask to be told of.
    private static let heldMin = 250
    /// When the next try is due, by the clock of `MonotonicTime`, where the last one could not copy all: a long read was in the way.
    private var retryAt = 0
    private static let retryMicroseconds = 1_000_000
    private static let patienceMilliseconds: Int32 = 100
    /// When a cut waits for reads again, by the clock of `MonotonicTime`: one that was in its way for so long is no request's, but an
    /// export's or a check's.
    private var patientAt = 0
    private static let pauseMicroseconds = 10_000_000
    private var size: CheckpointSize

    /// What the log held after the last commit; written by SQLite's hook, on the writer thread.
    private final class Frames {
        var count = 0
        /// The weight of the commits since the last checkpoint.
        var weight = 0

        func noteCommit(count new: Int) {
            // A log that begins anew has only this commit.
            weight += CheckpointSize.weight(ofCommit: new > count ? new - count : new)
            count = new
        }
    }

    init(
        _ connection: Connection, _ configuration: StoreConfiguration, _ counters: StoreCounters,
        _ directory: DataDirectory
    ) {
        self.connection = connection
        self.configuration = configuration
        self.counters = counters
        path = directory.log
        size = CheckpointSize(framesMax: configuration.checkpointFrames)
        // Only a checkpoint that cuts the log waits, and only for reads, none of which outlasts a request.
        // It fails only for an invalid handle.
        sqlite3_busy_timeout(connection.handle, Self.patienceMilliseconds)
        sqlite3_wal_hook(
            connection.handle,
            { context, _, _, count in
                // SAFETY: the hook is taken away before the frames are, in `finish`, and commits end before that.
                Unmanaged<Frames>.fromOpaque(context!).takeUnretainedValue().noteCommit(count: Int(count))
                return SQLITE_OK
            }, Unmanaged.passUnretained(frames).toOpaque())
    }

    /// After each batch, and when there was none for a while.
    mutating func tend(isIdle: Bool) throws(SQLiteError) {
        // The log begins anew when all of it is copied and no reader looks at it.
        if frames.count < copied { (copied, retryAt) = (0, 0) }
        let waiting = frames.count - copied
        counters.frames.store(waiting, ordering: .relaxed)
        if isIdle { return try rest() }
        let weight = frames.weight
        let isDue = weight >= size.frames
        // Tries frames again that a read held, even if little is written since: the log counts as held until a checkpoint copies them.
        guard isDue || held >= Self.heldMin else { return }
        let now = MonotonicTime.microseconds
        guard now >= retryAt else { return }
        if bytes > configuration.walBytesMax { try cutLong() } else { try run(SQLITE_CHECKPOINT_PASSIVE) }
        if isDue { size.note(MonotonicTime.microseconds - now, of: weight) }
        retryAt = held > 0 ? now + Self.retryMicroseconds : 0
    }

    /// When nobody writes: copies what waits, and gives back the room of a log that was long, without waiting for readers.
    private mutating func rest() throws(SQLiteError) {
        retryAt = 0
        if frames.count > copied { try run(SQLITE_CHECKPOINT_PASSIVE) }
        guard bytes > configuration.walIdleBytesMax else { return }
        _ = try cut()
    }

    private mutating func cutLong() throws(SQLiteError) {
        let now = MonotonicTime.microseconds
        guard now >= patientAt else {
            _ = try cut()
            return
        }
        try run(SQLITE_CHECKPOINT_TRUNCATE)
        if bytes > 0 { patientAt = now + Self.pauseMicroseconds }
    }

    /// Copies all that can be copied without waiting for anybody.
    mutating func copy() throws(SQLiteError) { try run(SQLITE_CHECKPOINT_PASSIVE) }

    /// Copies all, and cuts the log to nothing; false when a reader was in the way, who is not waited for.
    mutating func cut() throws(SQLiteError) -> Bool {
        // As above.
        sqlite3_busy_timeout(connection.handle, 0)
        defer { sqlite3_busy_timeout(connection.handle, Self.patienceMilliseconds) }
        try run(SQLITE_CHECKPOINT_TRUNCATE)
        return bytes == 0
    }

    /// The last checkpoint, which also cuts the log to nothing.
    mutating func finish() throws(SQLiteError) {
        defer { sqlite3_wal_hook(connection.handle, nil, nil) }
        try run(SQLITE_CHECKPOINT_TRUNCATE)
    }

    /// The length of the log's file.
    private var bytes: Int64 {
        var state = stat()
        return stat(path, &state) == 0 ? Int64(state.st_size) : 0
    }

    private mutating func run(_ mode: Int32) throws(SQLiteError) {
        var count: Int32 = 0
        var copied: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(connection.handle, nil, mode, &count, &copied)
        // A reader in the way is no fault: what could be copied was.
        guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else { throw connection.error(code) }
        // Of a log that was cut both are zero.
        frames.count = max(Int(count), 0)
        frames.weight = 0
        self.copied = max(Int(copied), 0)
        held = max(frames.count - self.copied, 0)
        counters.frames.store(held, ordering: .relaxed)
        counters.framesHeld.store(held, ordering: .relaxed)
    }
}

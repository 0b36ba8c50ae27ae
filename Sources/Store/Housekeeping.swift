import CSQLite
import Glibc
import Model
import Synchronization

/// What the writer does besides: checkpoints, the log's retention, old idempotency keys, and the full disk.
struct Housekeeping {
    private let connection: Connection
    private let configuration: StoreConfiguration
    private let counters: StoreCounters
    private let ballast: Ballast
    private let walPath: String
    private var pruneAt = 0
    private var probeAt = 0
    private var isFull = false

    init(_ connection: Connection, _ configuration: StoreConfiguration, _ counters: StoreCounters, directory: String) {
        self.connection = connection
        self.configuration = configuration
        self.counters = counters
        ballast = Ballast(directory: directory, bytes: configuration.ballastBytes)
        walPath = directory + "/lectern.sqlite-wal"
        sqlite3_wal_hook(
            connection.handle,
            { context, _, _, frames in
                // SAFETY: the counters outlive the connection: the store holds both.
                Unmanaged<StoreCounters>.fromOpaque(context!).takeUnretainedValue().frames
                    .store(Int(frames), ordering: .relaxed)
                return SQLITE_OK
            }, Unmanaged.passUnretained(counters).toOpaque())
        if !ballast.take() { noteFull() }
    }

    /// After each batch, and about once a second without one.
    mutating func tend(isIdle: Bool) {
        let frames = counters.walFrames
        if frames >= configuration.checkpointFrames || isIdle && frames > 0 { checkpoint() }
        if isIdle || now() >= pruneAt { prune() }
    }

    /// The last checkpoint, which also cuts the write-ahead log to nothing.
    func finish() { sqlite3_wal_checkpoint_v2(connection.handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) }

    private func checkpoint() {
        var state = stat()
        let isLong = stat(walPath, &state) == 0 && Int64(state.st_size) > configuration.walBytesMax
        sqlite3_wal_checkpoint_v2(
            connection.handle, nil, isLong ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        counters.frames.store(0, ordering: .relaxed)
    }

    // MARK: The full disk

    /// The disk is full: gives the ballast back, so that reading and a checkpoint have room.
    mutating func noteFull() {
        isFull = true
        counters.isFull.store(true, ordering: .relaxed)
        ballast.give()
        probeAt = now() + 1
        checkpoint()
    }

    /// Whether there is room again, looked up at most once a second while there was none.
    mutating func mayWrite() -> Bool {
        guard isFull else { return true }
        guard now() >= probeAt else { return false }
        probeAt = now() + 1
        guard ballast.fitsComfortably, ballast.take() else { return false }
        isFull = false
        counters.isFull.store(false, ordering: .relaxed)
        return true
    }

    // MARK: Retention

    /// Deletes a slice of what is too old or too much; more of it follows at the next call.
    private mutating func prune() {
        pruneAt = now() + 5
        guard !isFull else { return }
        let old = Instant.now.adding(seconds: -Int64(configuration.retentionDaysMax) * 86_400)
        let expired = Instant.now.adding(seconds: -Int64(configuration.idempotencyHours) * 3600)
        do throws(SQLiteError) {
            let cut = try cut(old)
            let hasOldKeys = try hasOldKeys(expired)
            guard cut != nil || hasOldKeys else { return }
            try connection.run("BEGIN IMMEDIATE")
            if let cut { try connection.statement("DELETE FROM changes WHERE seq <= ?1").bind(1, cut).run() }
            try connection.statement(
                "DELETE FROM idempotency_keys WHERE (reader, key) IN (SELECT reader, key FROM idempotency_keys WHERE at < ?1 LIMIT 2000)"
            ).bind(1, expired).run()
            try connection.run("COMMIT")
        } catch {
            if connection.isInTransaction { try? connection.run("ROLLBACK") }
            if error.isFull { noteFull() }
        }
    }

    /// The last change of the slice that goes: always the log's beginning, so that what stays has no gap.
    private func cut(_ old: Instant) throws(SQLiteError) -> Int64? {
        let last = try connection.number("SELECT max(seq) FROM changes") ?? 0
        let rows = try connection.statement("SELECT seq, at FROM changes ORDER BY seq LIMIT 2000")
        defer { rows.reset() }
        var cut: Int64?
        while try rows.step() {
            guard rows.integer(0) <= last - Int64(configuration.retentionCountMax) || rows.instant(1) < old else {
                break
            }
            cut = rows.integer(0)
        }
        return cut
    }

    private func hasOldKeys(_ expired: Instant) throws(SQLiteError) -> Bool {
        try connection.statement("SELECT 1 FROM idempotency_keys WHERE at < ?1 LIMIT 1").bind(1, expired)
            .first { _ in true } ?? false
    }

    /// Seconds of the monotonic clock.
    private func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec
    }
}

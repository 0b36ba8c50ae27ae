import Model

/// The deletion of old changes and idempotency keys, in slices so that writes do not wait long.
struct LogRetention {
    private let connection: SQLiteConnection
    private let configuration: StoreConfiguration
    /// The first change of the log.
    private(set) var first: Int64
    /// The last change of the log.
    private var last: Int64
    private var clock: LogRetentionClock
    /// The time, by the retention clock, of the next check for expired rows.
    private var lookAt: Instant

    /// The maximum number of rows that one slice deletes.
    private static let sliceMax: Int64 = 2000
    /// A limit for the configured number of days, which prevents overflow.
    private static let daysMax = 4_000_000
    /// The seconds between two checks for expired rows.
    private static let lookSeconds: Int64 = 10

    init(
        _ connection: SQLiteConnection, _ configuration: StoreConfiguration, at reading: MachineClockTimes
    ) throws(SQLiteError) {
        self.connection = connection
        self.configuration = configuration
        first = try connection.number("SELECT min(seq) FROM changes") ?? 1
        last = try connection.number("SELECT max(seq) FROM changes") ?? 0
        clock = try LogRetentionClock(connection, at: reading)
        lookAt = clock.time(reading)
    }

    /// Returns the time of the retention clock, by which idempotency keys expire.
    func time(_ reading: MachineClockTimes) -> Instant { clock.time(reading) }

    /// Deletes one slice of expired or excess rows, if there is one; while the writer is busy, only full slices of
    /// excess changes. Returns `true` if more are left.
    mutating func runMaintenance(isIdle: Bool, head: Int64, at reading: MachineClockTimes) throws(SQLiteError) -> Bool {
        last = head
        let now = clock.time(reading)
        let isDue = now >= lookAt
        guard excess >= (isIdle ? 1 : Self.sliceMax) || isDue else { return false }
        if isDue { lookAt = now.adding(seconds: Self.lookSeconds) }
        let cut = try cut(at: reading, isDue: isDue)
        guard cut >= first || isDue else { return false }
        let expired = isDue ? now.adding(seconds: -Int64(configuration.idempotencyHours) * 3600) : nil
        let hasExpired = try delete(through: cut, keysBefore: expired)
        let isWhole = cut - first + 1 >= Self.sliceMax
        first = max(first, cut + 1)
        if isDue, isWhole || hasExpired { lookAt = now }
        return isWhole || hasExpired || excess > 0 && isIdle
    }

    /// The number of changes above the limit.
    private var excess: Int64 { last - first + 1 - Int64(configuration.retentionCountMax) }

    /// Returns the last change of the slice to delete. A slice is always the beginning of the log, so the rest has no
    /// gap. The last change always stays, so no number is used twice.
    private mutating func cut(at reading: MachineClockTimes, isDue: Bool) throws(SQLiteError) -> Int64 {
        var old = first - 1 + max(0, excess)
        if isDue { old = max(old, try tooOld(at: reading)) }
        return min(old, first - 1 + Self.sliceMax, last - 1)
    }

    /// Returns the last change that is too old. With a retention of zero days, all changes are.
    private mutating func tooOld(at reading: MachineClockTimes) throws(SQLiteError) -> Int64 {
        let horizon = clock.time(reading).adding(
            seconds: -Int64(min(configuration.retentionDaysMax, Self.daysMax)) * 86_400)
        try clock.mark(last, horizon: horizon, at: reading)
        return configuration.retentionDaysMax == 0 ? last : try clock.head(at: horizon) ?? 0
    }

    /// Deletes changes, and one slice of expired keys. Returns `true` if there were such keys.
    private func delete(through cut: Int64, keysBefore expired: Instant?) throws(SQLiteError) -> Bool {
        try connection.run("BEGIN IMMEDIATE")
        if cut >= first { try connection.statement("DELETE FROM changes WHERE seq <= ?1").bind(cut).run() }
        var hasExpired = false
        if let expired {
            try connection.statement(
                """
                DELETE FROM idempotency_keys WHERE (reader, key) IN
                    (SELECT reader, key FROM idempotency_keys WHERE at < ?1 ORDER BY at LIMIT ?2)
                """
            ).bind(expired, Self.sliceMax).run()
            hasExpired = connection.changedCount > 0
        }
        try connection.run("COMMIT")
        return hasExpired
    }
}

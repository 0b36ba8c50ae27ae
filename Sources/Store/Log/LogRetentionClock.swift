import Glibc
import Model

/// The clock that measures the age of log entries. It advances while the server runs and does not follow changes of the
/// wall clock.
///
/// With a wrong wall clock at one start, the log's changes would seem decades old, and changes written under it would
/// never expire. The age of a change is therefore not taken from its timestamp: about once an hour a row records the
/// log's last change at that time. Downtime counts by the wall clock, but at most two hours per start, which limits the
/// effect of a jump. After a longer downtime the log is kept longer.
struct LogRetentionClock {
    private let connection: SQLiteConnection
    /// The clock's time at the start, and the value of `running` then.
    private let start: (time: Instant, running: Int64)
    private var markedAt: Instant?

    private static let markSeconds: Int64 = 3600
    private static let awaySecondsMax: Int64 = 7200

    /// Continues from the last stored mark, or starts with the wall clock if there is none.
    init(_ connection: SQLiteConnection, at reading: MachineClockTimes) throws(SQLiteError) {
        self.connection = connection
        let mark = try connection.statement("SELECT time, wall FROM clock_marks ORDER BY time DESC LIMIT 1").first {
            (time: $0.instant(0), wall: $0.instant(1))
        }
        guard let mark else {
            start = (reading.wall, reading.running)
            return
        }
        // If the wall clock was set back, a new mark is due at once. Otherwise downtime would not count until the wall
        // clock caught up.
        markedAt = reading.wall < mark.wall ? nil : mark.time
        let away = min(max(reading.wall, mark.wall), mark.wall.adding(seconds: Self.awaySecondsMax))
        start = (
            Instant(milliseconds: mark.time.milliseconds + (away.milliseconds - mark.wall.milliseconds)),
            reading.running
        )
    }

    /// Returns the clock's time.
    func time(_ reading: MachineClockTimes) -> Instant {
        Instant(milliseconds: start.time.milliseconds + max(0, reading.running - start.running))
    }

    /// Stores about once an hour that the log's last change is `head` now. Deletes the marks before `horizon` except
    /// the last of them.
    mutating func mark(_ head: Int64, horizon: Instant, at reading: MachineClockTimes) throws(SQLiteError) {
        let time = time(reading)
        if let markedAt, time < markedAt.adding(seconds: Self.markSeconds) { return }
        try connection.run("BEGIN IMMEDIATE")
        try connection.statement("INSERT OR REPLACE INTO clock_marks (time, seq, wall) VALUES (?1, ?2, ?3)")
            .bind(time, head, reading.wall).run()
        try connection.statement(
            "DELETE FROM clock_marks WHERE time < (SELECT max(time) FROM clock_marks WHERE time <= ?1)"
        ).bind(horizon).run()
        try connection.run("COMMIT")
        markedAt = time
    }

    /// Returns the log's last change at a time of this clock, or `nil` if no mark is that old.
    func head(at time: Instant) throws(SQLiteError) -> Int64? {
        try connection.statement("SELECT seq FROM clock_marks WHERE time <= ?1 ORDER BY time DESC LIMIT 1").bind(time)
            .number()
    }
}

/// The values of the machine's two clocks at one moment.
struct MachineClockTimes {
    /// The wall clock.
    let wall: Instant
    /// The milliseconds since an arbitrary moment before the start. This clock continues during sleep and is never
    /// set.
    let running: Int64

    static var now: MachineClockTimes {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return MachineClockTimes(wall: .now, running: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}

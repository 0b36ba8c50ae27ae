import Glibc
import Model

/// The clock by which the house forgets: it goes while the server runs, and no setting of the wall clock moves it.
///
/// A wall clock that is wrong at one start would have the log's changes be decades old, and changes that were written under a
/// wrong one would never grow old. So the age of a change is not told by its own time: about once an hour a mark keeps how
/// far the log had come. What passed while no server ran counts as the wall clock says, but at most two hours of it for a
/// start, so that a jump costs no more than that; whoever is away for longer keeps the log for longer.
struct HouseClock {
    /// What the two clocks of the machine say at one moment.
    struct Reading {
        /// The wall clock.
        let wall: Instant
        /// Milliseconds since some moment before the start; goes on while the machine sleeps, and is never set.
        let running: Int64

        static var now: Reading {
            var time = timespec()
            clock_gettime(CLOCK_BOOTTIME, &time)
            return Reading(wall: .now, running: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
        }
    }

    private let connection: Connection
    /// The house's time when the machine had been running for so long.
    private let start: (time: Instant, running: Int64)
    private var markedAt: Instant?

    private static let markSeconds: Int64 = 3600
    private static let awaySecondsMax: Int64 = 7200

    /// Goes on from the last mark; without one, from what the wall clock says.
    init(_ connection: Connection, at reading: Reading) throws(SQLiteError) {
        self.connection = connection
        let mark = try connection.statement("SELECT time, wall FROM clock_marks ORDER BY time DESC LIMIT 1").first {
            (time: $0.instant(0), wall: $0.instant(1))
        }
        guard let mark else {
            start = (reading.wall, reading.running)
            return
        }
        // A wall clock that was set back is marked at once, or what passes between starts would not count until it has caught up.
        markedAt = reading.wall < mark.wall ? nil : mark.time
        let away = min(max(reading.wall, mark.wall), mark.wall.adding(seconds: Self.awaySecondsMax))
        start = (
            Instant(milliseconds: mark.time.milliseconds + (away.milliseconds - mark.wall.milliseconds)),
            reading.running
        )
    }

    /// The house's time.
    func time(_ reading: Reading) -> Instant {
        Instant(milliseconds: start.time.milliseconds + max(0, reading.running - start.running))
    }

    /// Keeps, about once an hour, that the log had come as far as `head` by now, and forgets the marks before `horizon` but
    /// the last of them.
    mutating func mark(_ head: Int64, horizon: Instant, at reading: Reading) throws(SQLiteError) {
        let time = time(reading)
        if let markedAt, time < markedAt.adding(seconds: Self.markSeconds) { return }
        try connection.run("BEGIN IMMEDIATE")
        try connection.statement("INSERT OR REPLACE INTO clock_marks (time, seq, wall) VALUES (?1, ?2, ?3)")
            .bind(1, time).bind(2, head).bind(3, reading.wall).run()
        try connection.statement(
            "DELETE FROM clock_marks WHERE time < (SELECT max(time) FROM clock_marks WHERE time <= ?1)"
        ).bind(1, horizon).run()
        try connection.run("COMMIT")
        markedAt = time
    }

    /// How far the log had come by a time of the house's; nil when no mark is that old.
    func head(at time: Instant) throws(SQLiteError) -> Int64? {
        try connection.statement("SELECT seq FROM clock_marks WHERE time <= ?1 ORDER BY time DESC LIMIT 1").bind(
            1, time
        )
        .first { $0.integer(0) }
    }
}

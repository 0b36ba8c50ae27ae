import Measures

/// The time limit of a read, which blocks its event loop. `BEGIN`, `COMMIT` and `ROLLBACK` are exempt. Confined to the
/// connection's thread.
final class ReadDeadline {
    private let microsecondsMax: Int64
    private let clock: ReadDeadlineClock
    /// The end in microseconds of the clock, or 0 before the first check, so that a short read does not use the clock.
    private var end: Int64 = 0

    /// Creates a deadline; 0 milliseconds mean none.
    init(millisecondsMax: Int, _ clock: ReadDeadlineClock) {
        microsecondsMax = Int64(min(millisecondsMax, 86_400_000)) * 1000
        self.clock = clock
    }

    /// Applies the deadline to a connection.
    func watch(_ connection: SQLiteConnection) {
        guard microsecondsMax > 0 else { return }
        connection.interrupt(every: clock.steps) { self.hasPassed }
    }

    /// Starts the time of a read.
    @inline(__always)
    func begin() { end = 0 }

    private var hasPassed: Bool {
        let now = clock.microseconds()
        if end == 0 { end = now + microsecondsMax }
        return now > end
    }
}

/// The clock of a `ReadDeadline`; tests provide their own.
package struct ReadDeadlineClock: Sendable {
    /// The number of virtual machine instructions between two checks: some hundredths of a millisecond.
    package var steps: Int32 = 1000
    /// Returns monotonic microseconds, starting from 1.
    package var microseconds: @Sendable () -> Int64 = { Int64(MonotonicClock.microseconds()) }
}

/// How long a read may take: one that goes on keeps everybody else of its event loop waiting. Covers reads only, never BEGIN,
/// COMMIT or ROLLBACK. Confined to the connection's thread.
final class ReadDeadline {
    private let microsecondsMax: Int64
    private let clock: ReadClock
    /// Microseconds of the clock; 0 before the first look, so that a short read looks at no clock.
    private var end: Int64 = 0

    /// A deadline of so many milliseconds; 0 for none.
    init(millisecondsMax: Int, _ clock: ReadClock) {
        microsecondsMax = Int64(min(millisecondsMax, 86_400_000)) * 1000
        self.clock = clock
    }

    /// Watches over a connection.
    func watch(_ connection: Connection) {
        guard microsecondsMax > 0 else { return }
        connection.interrupt(every: clock.steps) { self.hasPassed }
    }

    /// A read begins.
    @inline(__always)
    func begin() { end = 0 }

    private var hasPassed: Bool {
        let now = clock.microseconds()
        if end == 0 { end = now + microsecondsMax }
        return now > end
    }
}

/// The clock of a `ReadDeadline`; tests provide their own.
package struct ReadClock: Sendable {
    /// SQLite's steps between two looks at it: some hundredths of a millisecond.
    package var steps: Int32 = 1000
    /// Microseconds that never go back, from 1 on.
    package var microseconds: @Sendable () -> Int64 = { Int64(MonotonicTime.microseconds) }
}

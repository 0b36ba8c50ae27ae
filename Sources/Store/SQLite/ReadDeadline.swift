import CSQLite

/// How long a read may take on a connection: SQLite asks it between its steps, and stops when it says so. A read that goes on
/// keeps everybody else of its event loop waiting. Confined to the connection's thread.
final class ReadDeadline {
    /// Steps of SQLite's machine between two looks at the clock: some hundredths of a millisecond.
    private static let stepsBetween: Int32 = 1000

    private let microsecondsMax: Int64
    /// Monotonic microseconds; 0 before the first look, so that a short read looks at no clock.
    private var end: Int64 = 0

    /// Watches over a connection, which must not outlive it; 0 for no end.
    init(millisecondsMax: Int, of connection: Connection) {
        microsecondsMax = Int64(min(millisecondsMax, 86_400_000)) * 1000
        guard millisecondsMax > 0 else { return }
        // SAFETY: the owner of the connection owns the deadline, too, and uses both on one thread.
        sqlite3_progress_handler(
            connection.handle, Self.stepsBetween,
            { context in Unmanaged<ReadDeadline>.fromOpaque(context!).takeUnretainedValue().hasPassed ? 1 : 0 },
            Unmanaged.passUnretained(self).toOpaque())
    }

    /// A read begins.
    @inline(__always)
    func begin() { end = 0 }

    private var hasPassed: Bool {
        let now = Int64(MonotonicTime.microseconds)
        if end == 0 { end = now + microsecondsMax }
        return now > end
    }
}

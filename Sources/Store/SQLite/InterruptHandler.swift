import CSQLite

/// Interrupts what a connection does: SQLite asks it between its steps, and stops with `SQLITE_INTERRUPT` when it says so.
/// Confined to the connection's thread.
final class InterruptHandler {
    /// Whether it may interrupt: BEGIN, COMMIT and ROLLBACK are never interrupted, as a COMMIT that is leaves its transaction open.
    var isEnabled = true
    private let shouldInterrupt: () -> Bool

    /// Asks after so many of SQLite's steps, a thousand of which take some hundredths of a millisecond.
    init(of connection: Connection, steps: Int32, _ shouldInterrupt: @escaping () -> Bool) {
        self.shouldInterrupt = shouldInterrupt
        // SAFETY: the connection keeps its handler, and replaces it only by another, which takes its place in SQLite first.
        sqlite3_progress_handler(
            connection.handle, steps,
            { context in
                let handler = Unmanaged<InterruptHandler>.fromOpaque(context!).takeUnretainedValue()
                return handler.isEnabled && handler.shouldInterrupt() ? 1 : 0
            },
            Unmanaged.passUnretained(self).toOpaque())
    }
}

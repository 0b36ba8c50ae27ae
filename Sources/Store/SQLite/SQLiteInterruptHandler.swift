import CSQLite

/// A progress handler, with which SQLite stops a statement with `SQLITE_INTERRUPT`. Confined to the connection's
/// thread.
final class SQLiteInterruptHandler {
    /// A Boolean value indicating whether statements may be interrupted. `BEGIN`, `COMMIT` and `ROLLBACK` never are,
    /// because an interrupted `COMMIT` leaves its transaction open.
    var isEnabled = true
    private let shouldInterrupt: () -> Bool

    /// Installs a handler that is called after every `steps` virtual machine instructions. A thousand take some
    /// hundredths of a millisecond.
    init(of connection: SQLiteConnection, steps: Int32, _ shouldInterrupt: @escaping () -> Bool) {
        self.shouldInterrupt = shouldInterrupt
        // SAFETY: the connection keeps its handler. It replaces it only by another one, which replaces it in SQLite
        // first.
        sqlite3_progress_handler(
            connection.handle, steps,
            { context in
                let handler = Unmanaged<SQLiteInterruptHandler>.fromOpaque(context!).takeUnretainedValue()
                return handler.isEnabled && handler.shouldInterrupt() ? 1 : 0
            },
            Unmanaged.passUnretained(self).toOpaque())
    }
}

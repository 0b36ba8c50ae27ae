import CSQLite

/// That what a connection does is still wanted: SQLite asks between its steps, and breaks off when it is not.
final class Wish {
    /// Steps of SQLite's machine between two questions: about half a millisecond.
    private static let stepsBetween: Int32 = 10_000

    private let isWanted: () -> Bool

    /// Asked for a connection, which must not outlive it, on its thread.
    init(for connection: Connection, _ isWanted: @escaping () -> Bool) {
        self.isWanted = isWanted
        // SAFETY: the connection keeps the wish.
        sqlite3_progress_handler(
            connection.handle, Self.stepsBetween,
            { context in Unmanaged<Wish>.fromOpaque(context!).takeUnretainedValue().isWanted() ? 0 : 1 },
            Unmanaged.passUnretained(self).toOpaque())
    }
}

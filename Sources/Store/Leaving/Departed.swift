/// The readers who left while this process ran. What they asked for before may reach the writer after that: it is refused, for
/// nothing of theirs may come to be any more.
///
/// Confined to the writer's thread.
final class Departed {
    private var readers: Set<Int64> = []
    /// Whether those of a transaction that was rolled back are among them.
    private var isUncertain = false

    func note(_ reader: Int64) { readers.insert(reader) }

    /// What was noted since the transaction began may not have come to be.
    func doubt() { isUncertain = !readers.isEmpty }

    func holds(_ reader: Int64, in connection: Connection) throws(SQLiteError) -> Bool {
        guard readers.contains(reader) else { return false }
        guard isUncertain else { return true }
        return try connection.statement("SELECT 1 FROM readers WHERE key = ?1 AND has_left = 1").bind(1, reader)
            .first { _ in true } ?? false
    }
}

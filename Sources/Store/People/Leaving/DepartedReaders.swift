/// The readers who left since this process started. Their earlier commands may still reach the writer and are refused,
/// so that no new rows of theirs appear.
///
/// Confined to the writer's thread.
final class DepartedReaders {
    private let counters: StoreCounters
    private var readers: Set<Int64> = []

    init(_ counters: StoreCounters = StoreCounters()) { self.counters = counters }

    func record(_ reader: Int64) {
        readers.insert(reader)
        counters.set(.erasing, 1)
    }

    func holds(_ reader: Int64, in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        guard readers.contains(reader) else { return false }
        // The transaction in which the reader left may have been rolled back.
        return try connection.statement("SELECT 1 FROM readers WHERE key = ?1 AND has_left = 1").bind(reader)
            .hasRow()
    }
}

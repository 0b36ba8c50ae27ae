import Measures

/// The deletion of the data of readers who left, between batches. After a restart it continues.
struct ReaderDepartures {
    private let connection: SQLiteConnection
    private let counters: StoreCounters
    private let rowsMax: Int
    /// The time at which truncating the log is tried again, in monotonic microseconds, after a read prevented it.
    private var cutAt = 0
    /// A Boolean value indicating whether the next step needs a command, because others receive events.
    private(set) var hasEvents = false

    /// The number of index pages that one slice merges.
    private static let mergeMax = 64

    init(
        _ connection: SQLiteConnection, _ configuration: StoreConfiguration, _ counters: StoreCounters
    ) throws(SQLiteError) {
        self.connection = connection
        self.counters = counters
        rowsMax = configuration.deletedEntriesSliceMax
        if try ReaderDeparture.first(in: connection) != nil { counters.set(.erasing, 1) }
    }

    /// Runs one slice, if there is one. Returns `true` if more may be left.
    mutating func runMaintenance(_ checkpoints: inout CheckpointPolicy) throws(SQLiteError) -> Bool {
        hasEvents = false
        guard let departure = try ReaderDeparture.first(in: connection) else {
            counters.set(.erasing, 0)
            return false
        }
        var place: Int64?
        switch departure.stage {
        case .clubs:
            hasEvents = true
            return true
        case .file:
            // The log must be truncated first, and the file swept, without a transaction. While a read prevents the
            // truncation, it is tried once a second.
            let now = MonotonicClock.microseconds()
            guard now >= cutAt else { return false }
            guard try checkpoints.cut() else {
                cutAt = now + 1_000_000
                return false
            }
            place = try UnusedSpaceEraser.go(on: departure.place, in: connection)
        case .rows, .log, .answers, .words: break
        }
        try connection.run("BEGIN IMMEDIATE")
        if departure.stage != .file { place = try slice(of: departure) }
        try departure.keep(place, in: connection)
        try connection.run("COMMIT")
        return true
    }

    /// Runs a slice. Returns the progress, or `nil` at the end of the stage.
    private func slice(of departure: ReaderDeparture) throws(SQLiteError) -> Int64? {
        switch departure.stage {
        case .log: return try LogRedaction.go(on: departure.place, of: departure, in: connection)
        case .answers:
            return try LogRedaction.continueWithOutcomes(behind: departure.place, of: departure, in: connection)
        case .words: return try mergeWords(isFirst: departure.place == 0) ? nil : 1
        default:
            for end in StoredTable.endsOfReader where try end(departure.reader, rowsMax, connection) > 0 { return 0 }
            // The entries are deleted separately: see `DeletedReadingCleanup`.
            return try connection.number("SELECT 1 FROM deleted_readings LIMIT 1")
        }
    }

    /// Merges a part of the search index, which keeps the words of deleted rows until all its segments are merged.
    /// Returns `true` when they are.
    private func mergeWords(isFirst: Bool) throws(SQLiteError) -> Bool {
        let before = connection.writtenRowCount
        // A negative number starts a merge of all existing segments into one.
        try connection.statement("INSERT INTO notes_words (notes_words, rank) VALUES ('merge', ?1)")
            .bind(Int64(isFirst ? -Self.mergeMax : Self.mergeMax)).run()
        return !isFirst && connection.writtenRowCount - before < 2
    }
}

import CSQLite

/// The deletion of the data of readers who left, between batches. After a restart it continues.
struct ReaderDepartures {
    private let connection: SQLiteConnection
    private let counters: StoreCounters
    private let rowsMax: Int
    private let sweep: UnusedSpaceEraser
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
        sweep = UnusedSpaceEraser(connection)
        if try ReaderDeparture.first(in: connection) != nil { counters.set(.erasing, 1) }
    }

    /// Runs one slice, if there is one. Returns `true` if more may be left.
    mutating func runMaintenance(_ checkpoints: inout CheckpointPolicy) throws(SQLiteError) -> Bool {
        hasEvents = false
        guard var departure = try ReaderDeparture.first(in: connection) else {
            counters.set(.erasing, 0)
            return false
        }
        switch departure.stage {
        case .clubs:
            hasEvents = true
            return true
        // The log must be truncated first, which cannot be done in a transaction.
        case .file: return try continueInFile(departure, &checkpoints)
        case .words: return try mergeWords(departure)
        case .rows, .log, .answers:
            try connection.run("BEGIN IMMEDIATE")
            if let place = try slice(of: departure) {
                departure.place = place
            } else {
                (departure.stage, departure.place) = (departure.stage.next ?? .file, 0)
            }
            try departure.keep(in: connection)
            try connection.run("COMMIT")
            return true
        }
    }

    /// Runs a slice. Returns the progress, or `nil` at the end of the stage.
    private func slice(of departure: ReaderDeparture) throws(SQLiteError) -> Int64? {
        switch departure.stage {
        case .log: return try LogRedaction.go(on: departure.place, of: departure, in: connection)
        case .answers:
            return try LogRedaction.continueWithOutcomes(behind: departure.place, of: departure, in: connection)
        default:
            for end in StoredTable.endsOfReader where try end(departure.reader, rowsMax, connection) > 0 { return 0 }
            // The entries are deleted separately: see `DeletedReadingCleanup`.
            return try connection.number("SELECT 1 FROM deleted_readings LIMIT 1")
        }
    }

    /// Merges a part of the search index, which keeps the words of deleted rows until all its segments are merged.
    private func mergeWords(_ departure: ReaderDeparture) throws(SQLiteError) -> Bool {
        let before = sqlite3_total_changes(connection.handle)
        try connection.run("BEGIN IMMEDIATE")
        // A negative number starts a merge of all existing segments into one.
        try connection.statement("INSERT INTO notes_words (notes_words, rank) VALUES ('merge', ?1)")
            .bind(Int64(departure.place == 0 ? -Self.mergeMax : Self.mergeMax)).run()
        let isDone = departure.place > 0 && sqlite3_total_changes(connection.handle) - before < 2
        var next = departure
        next.place = 1
        if isDone { try departure.keep(next: .file, in: connection) } else { try next.keep(in: connection) }
        try connection.run("COMMIT")
        return true
    }

    private mutating func continueInFile(_ departure: ReaderDeparture, _ checkpoints: inout CheckpointPolicy)
        throws(SQLiteError)
        -> Bool
    {
        // While a read prevents the truncation, it is tried once a second.
        let now = MonotonicTime.microseconds
        guard now >= cutAt else { return false }
        guard try checkpoints.cut() else {
            cutAt = now + 1_000_000
            return false
        }
        var next = departure
        let place = try sweep.go(on: departure.place)
        if let place { next.place = place }
        try connection.run("BEGIN IMMEDIATE")
        if place == nil { try departure.keep(next: nil, in: connection) } else { try next.keep(in: connection) }
        try connection.run("COMMIT")
        return true
    }
}

extension ReaderDeparture.Stage {
    var next: ReaderDeparture.Stage? { ReaderDeparture.Stage(rawValue: rawValue + 1) }
}

import CSQLite

/// What the writer does between the batches of others until nothing is left of who has left. What is left when the process ends
/// goes on at its next life.
struct Departures {
    private let connection: Connection
    private let rowsMax: Int
    private let sweep: PageSweep
    /// When the log is cut again, by the clock of `MonotonicTime`, after a reader was in the way.
    private var cutAt = 0
    /// Whether others are to be told of something next: that is a command's.
    private(set) var isToTell = false

    /// How many pages of the search index one slice merges.
    private static let mergeMax = 64

    init(_ connection: Connection, _ configuration: StoreConfiguration) {
        self.connection = connection
        rowsMax = configuration.doomedEntriesSliceMax
        sweep = PageSweep(connection)
    }

    /// Does one slice, if there is any. True when there may be more.
    mutating func tend(_ checkpoints: inout Checkpoints) throws(SQLiteError) -> Bool {
        isToTell = false
        guard var departure = try Departure.first(in: connection) else { return false }
        switch departure.stage {
        case .clubs:
            isToTell = true
            return true
        // The log is cut before, which another transaction would end.
        case .file: return try goOnInFile(departure, &checkpoints)
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

    /// How far it has come; nil at the stage's end.
    private func slice(of departure: Departure) throws(SQLiteError) -> Int64? {
        switch departure.stage {
        case .log: return try LogRedaction.go(on: departure.place, of: departure, in: connection)
        case .answers:
            return try LogRedaction.goOnWithAnswers(behind: departure.place, of: departure, in: connection)
        default:
            for end in StoredTable.endsOfReader where try end(departure.reader, rowsMax, connection) > 0 { return 0 }
            // Their entries go on their own: see `DoomedEntries`.
            return try connection.number("SELECT 1 FROM doomed_readings LIMIT 1")
        }
    }

    /// The index keeps a deleted row's words until all its parts are merged into one.
    private func mergeWords(_ departure: Departure) throws(SQLiteError) -> Bool {
        let before = sqlite3_total_changes(connection.handle)
        try connection.run("BEGIN IMMEDIATE")
        // A negative number begins: what is there now becomes one part.
        try connection.statement("INSERT INTO notes_words (notes_words, rank) VALUES ('merge', ?1)")
            .bind(1, Int64(departure.place == 0 ? -Self.mergeMax : Self.mergeMax)).run()
        let isDone = departure.place > 0 && sqlite3_total_changes(connection.handle) - before < 2
        var next = departure
        next.place = 1
        if isDone { try departure.keep(next: .file, in: connection) } else { try next.keep(in: connection) }
        try connection.run("COMMIT")
        return true
    }

    private mutating func goOnInFile(_ departure: Departure, _ checkpoints: inout Checkpoints) throws(SQLiteError)
        -> Bool
    {
        // While somebody looks at the log, it is tried once in a second.
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

extension Departure.Stage {
    var next: Departure.Stage? { Departure.Stage(rawValue: rawValue + 1) }
}

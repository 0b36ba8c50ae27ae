import Model

/// A reader who has left and whose data is being deleted, in slices between batches. It is stored, so it continues
/// after a restart.
struct ReaderDeparture: Sendable {
    /// The step of the deletion. The raw values are stored.
    enum Stage: Int64, CaseIterable, Sendable {
        /// Deletion or redaction of the data that others see, with events for them.
        case clubs = 0
        /// Deletion of the data that only the reader saw.
        case rows
        /// Redaction of the reader's data in the log.
        case log
        /// Redaction of the stored outcomes of idempotent requests.
        case answers
        /// Merging of the search index, which still contains the words of deleted rows.
        case words
        /// Overwriting of the unused parts of the file's pages: see `UnusedSpaceEraser`.
        case file
    }

    let id: ResourceID
    let reader: Int64
    var stage: Stage
    /// The progress within the stage.
    var place: Int64

    private static let earliest = SQLText(
        """
        SELECT readers.id, reader, stage, place FROM departures JOIN readers ON readers.key = departures.reader
        ORDER BY stage, reader LIMIT 1
        """)

    /// Returns the departure with the least progress, or `nil`.
    static func first(in connection: SQLiteConnection) throws(SQLiteError) -> ReaderDeparture? {
        try connection.statement(earliest).first { row throws(SQLiteError) in
            ReaderDeparture(
                id: row.id(0), reader: row.integer(1),
                stage: try row.choice(2, "departures.stage", key: row.integer(1)), place: row.integer(3))
        }
    }

    /// Returns a Boolean value indicating whether rows of a reader who left remain, some changed and some not.
    static func isIncomplete(in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.statement("SELECT 1 FROM departures WHERE stage < ?1 LIMIT 1").bind(Stage.log.rawValue)
            .first { _ in true } ?? false
    }

    /// Stores the progress.
    func keep(in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.statement("UPDATE departures SET stage = ?2, place = ?3 WHERE reader = ?1")
            .bind(reader, stage.rawValue, place).run()
    }

    /// Moves all departures in this stage or later to the start of the next stage, after the work was done for all.
    /// Deletes those in this stage if it is the last one.
    func keep(next: Stage?, in connection: SQLiteConnection) throws(SQLiteError) {
        guard let next else {
            return try connection.statement("DELETE FROM departures WHERE stage = ?1").bind(stage.rawValue).run()
        }
        try connection.statement("UPDATE departures SET stage = ?2, place = 0 WHERE stage >= ?1")
            .bind(stage.rawValue, next.rawValue).run()
    }

    /// The proposal that ends the stage with events for others.
    var eventsSent: UnloggedWrite {
        UnloggedWrite(
            "UPDATE departures SET stage = ?2, place = 0 WHERE reader = ?1", .integer(reader),
            .integer(Stage.rows.rawValue))
    }

    /// The proposal that starts a departure.
    struct DepartureStart: CommandChange {
        let reader: Int64

        func apply(to transaction: inout WriteTransaction, _ moment: ChangeMoment) throws(SQLiteError)
            -> CommandOutcome?
        {
            let connection = transaction.connection
            try connection.statement("INSERT INTO departures (reader, stage, place) VALUES (?1, 0, 0)").bind(reader)
                .run()
            for end in StoredTable.endsOfReaderAtOnce { try connection.statement(end).bind(reader).run() }
            transaction.departed.record(reader)
            return nil
        }
    }
}

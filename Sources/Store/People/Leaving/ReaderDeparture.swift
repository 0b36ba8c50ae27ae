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
    let stage: Stage
    /// The progress within the stage.
    let place: Int64

    /// Returns the departure with the least progress, or `nil`.
    static func first(in connection: SQLiteConnection) throws(SQLiteError) -> ReaderDeparture? {
        try connection.statement(
            """
            SELECT readers.id, reader, stage, place FROM departures JOIN readers ON readers.key = departures.reader
            WHERE stage = (SELECT min(stage) FROM departures) ORDER BY reader LIMIT 1
            """
        ).first { row throws(SQLiteError) in
            ReaderDeparture(
                id: row.id(0), reader: row.integer(1),
                stage: try row.choice(2, "departures.stage", key: row.integer(1)), place: row.integer(3))
        }
    }

    /// Returns a Boolean value indicating whether rows of a reader who left remain, some changed and some not.
    static func isIncomplete(in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.statement("SELECT 1 FROM departures WHERE stage < ?1 LIMIT 1").bind(Stage.log.rawValue)
            .hasRow()
    }

    /// Stores the progress within the stage, or the start of the next stage if `place` is `nil`. The last two stages work
    /// for all readers who left, so those who came to them meanwhile continue or end with this one.
    func keep(_ place: Int64?, in connection: SQLiteConnection) throws(SQLiteError) {
        if let place {
            return try connection.statement("UPDATE departures SET place = ?2 WHERE reader = ?1").bind(reader, place)
                .run()
        }
        guard let next = Stage(rawValue: stage.rawValue + 1) else {
            return try connection.statement("DELETE FROM departures WHERE stage = ?1").bind(stage.rawValue).run()
        }
        try connection.statement(
            "UPDATE departures SET stage = ?2, place = 0 WHERE reader = ?1 OR ?3 AND stage >= ?4"
        ).bind(reader, next.rawValue, stage == .words ? 1 : 0, stage.rawValue).run()
    }

    /// The change that ends the stage with events for others.
    var eventsSent: UnloggedWrite {
        UnloggedWrite(
            "UPDATE departures SET stage = ?2, place = 0 WHERE reader = ?1", reader, Stage.rows.rawValue)
    }

    /// The change that starts a departure.
    struct DepartureStart: CommandChange {
        let reader: Int64

        func apply(to transaction: inout WriteTransaction) throws(SQLiteError)
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

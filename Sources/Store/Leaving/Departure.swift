package import Model

/// A reader who has left, and whose things are on their way out: in slices, between the batches of others. It is kept, so that it
/// goes on after whatever ended the process.
package struct Departure: Sendable {
    /// What is being done. The raw values are stored.
    package enum Stage: Int64, CaseIterable, Sendable {
        /// What others see of the reader ends, or loses its words, by changes that they are told.
        case clubs = 0
        /// What nobody else saw goes.
        case rows
        /// The log loses what it says of the reader.
        case log
        /// So do the outcomes that are kept for requests that come again.
        case answers
        /// The search index is merged, for it keeps words of what is gone.
        case words
        /// The file loses what lies between its rows: see `PageSweep`.
        case file
    }

    package let id: ResourceID
    let reader: Int64
    package var stage: Stage
    /// How far the stage has come.
    package var place: Int64
    package let beganAt: Instant

    private static let earliest = SQL("\(select) ORDER BY stage, reader LIMIT 1")
    private static let every = SQL("\(select) ORDER BY reader")
    private static let select = """
        SELECT readers.id, reader, stage, place, began_at FROM departures JOIN readers ON readers.key = departures.reader
        """

    private static func row(_ row: Statement) -> Departure {
        Departure(
            id: row.id(0), reader: row.integer(1), stage: Stage(rawValue: row.integer(2)) ?? .clubs,
            place: row.integer(3), beganAt: row.instant(4))
    }

    /// The one that has come least far; nil when nobody is leaving.
    static func first(in connection: Connection) throws(SQLiteError) -> Departure? {
        try connection.statement(earliest).first(row)
    }

    static func all(in connection: Connection) throws(SQLiteError) -> [Departure] {
        try connection.statement(every).all(row)
    }

    /// Whether rows of somebody who left are there still: some of it as it was, some as it is to be.
    static func isTelling(in connection: Connection) throws(SQLiteError) -> Bool {
        try connection.statement("SELECT 1 FROM departures WHERE stage < ?1 LIMIT 1").bind(1, Stage.log.rawValue)
            .first { _ in true } ?? false
    }

    /// Keeps how far it has come.
    func keep(in connection: Connection) throws(SQLiteError) {
        try connection.statement("UPDATE departures SET stage = ?2, place = ?3 WHERE reader = ?1")
            .bind(1, reader).bind(2, stage.rawValue).bind(3, place).run()
    }

    /// Goes on to a stage that is done, from its beginning, for all who have come to this one or further; nil when that was the last.
    func keep(next: Stage?, in connection: Connection) throws(SQLiteError) {
        guard let next else {
            return try connection.statement("DELETE FROM departures WHERE stage = ?1").bind(1, stage.rawValue).run()
        }
        try connection.statement("UPDATE departures SET stage = ?2, place = 0 WHERE stage >= ?1")
            .bind(1, stage.rawValue).bind(2, next.rawValue).run()
    }

    /// A reader begins to leave.
    struct Begin: Proposal {
        let reader: Int64

        func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
            let connection = application.connection
            try connection.statement(
                "INSERT INTO departures (reader, stage, place, began_at) VALUES (?1, 0, 0, ?2)"
            ).bind(1, reader).bind(2, moment.at).run()
            for end in StoredTable.endsOfReaderAtOnce { try connection.statement(end).bind(1, reader).run() }
            application.departed.note(reader)
            application.noteSilentWrite()
            return nil
        }
    }

    /// Others have been told of everything.
    struct Told: Proposal {
        let departure: Departure

        func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
            var next = departure
            (next.stage, next.place) = (.rows, 0)
            try next.keep(in: application.connection)
            application.noteSilentWrite()
            return nil
        }
    }
}

extension ReadConnection {
    /// Readers whose things are on their way out.
    package func departures() throws(LecternError) -> [Departure] {
        try query { db throws(SQLiteError) in try Departure.all(in: db) }
    }
}

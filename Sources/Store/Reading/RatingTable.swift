package import Model

/// The table of ratings, with at most one row per reading, under the reading's id.
enum RatingTable: ExportedTable {
    static let rows = TableMapping<Rating>(
        "ratings",
        joins: "ratings JOIN readings ON readings.key = ratings.reading JOIN books ON books.key = readings.book")

    static func scope(of row: Rating) -> ChangeScope { .reader(key: row.readerKey) }

    static let endings = [
        ending(of: .reading, where: "ratings.reading = ?1"),
        ending(of: .club, where: "ratings.note_id IN (\(NoteTable.idsOfClub))", withoutReview),
        ending(of: .note, where: "ratings.note_id = (SELECT id FROM notes WHERE key = ?1)", withoutReview),
    ]

    private static func withoutReview(_ rating: Rating) -> [any CommandChange] {
        [update(of: rating) { $0.noteID = nil }]
    }

    /// Decides an imported row. Without `noteId` an existing rating keeps its review.
    static func complete(_ imported: inout RowImport<Rating>, _ state: borrowing WriteState) throws(RequestError) {
        guard let reading = try state.query(ReadingTable.find(key: imported.row.readingKey, in: state.db)),
            reading.id == imported.row.id
        else { throw .violation("/id", "must be the id of the reading") }
        imported.row.belong(to: reading)
        guard try state.canReview(with: imported.row.noteID, reading) else { throw .unknown("noteId") }
    }
}

extension StoredTable {
    static let ratings = StoredTable(
        RatingTable.self, audience: .itsReader,
        exported: .init(
            inAccounts: .own("ratings.reader = ?1", privateIf: "0"),
            columns: [.init("noteId", column: "note_id", .note)], without: ["book", "noteId"], hasDerivedID: true),
        ofReader: .rows("reader = ?1"), ofClubOrBook: .none,
        rules: [
            """
            SELECT 'ratings: ' || hex(ratings.id) || ' has the id or the reader of another reading' FROM ratings
            JOIN readings ON readings.key = ratings.reading
            WHERE readings.id <> ratings.id OR readings.reader <> ratings.reader
            """,
            """
            SELECT 'ratings: ' || hex(ratings.id) || ' has a note that is not there, or somebody else''s' FROM ratings
            JOIN readers ON readers.key = ratings.reader
            WHERE ratings.note_id IS NOT NULL AND readers.has_left = 0 AND NOT EXISTS (
                SELECT 1 FROM notes WHERE notes.id = ratings.note_id AND notes.author = ratings.reader
                    AND notes.body IS NOT NULL)
            """,
        ])
}

extension ReadConnection {
    /// Returns the reader's rating of one of their readings, or `nil`.
    package func rating(ofReading id: ResourceID, by reader: Int64) throws(RequestError) -> Rating? {
        let rating = try query(RatingTable.find(id, in: db))
        return rating?.readerKey == reader ? rating : nil
    }

    /// The ratings of the reader `?1`, latest first.
    package static let ratings = SortedTableList(RatingTable.rows, where: "ratings.reader = ?1", order: .newestFirst)

    /// Returns how often the members of a run gave each number of stars, the most stars first. Only members who share
    /// their progress with the club count.
    package func ratings(ofRun run: ClubRun) throws(RequestError) -> [(stars: Stars, count: Int64)] {
        try query { db throws(SQLiteError) in
            // The join starts with the members of the run, however many ratings there are. A member who has read the book
            // several times counts with the rating of the latest of these readings.
            try db.statement(
                """
                SELECT stars, count(*) FROM (
                    SELECT ratings.stars AS stars, max(readings.number) FROM standings
                        JOIN runs ON runs.key = standings.run JOIN members ON members.key = standings.member
                        CROSS JOIN readings ON readings.book = runs.book AND readings.reader = members.reader
                        CROSS JOIN ratings ON ratings.reading = readings.key
                    WHERE standings.run = ?1 AND members.shares <> 'nothing' GROUP BY standings.member)
                GROUP BY stars ORDER BY stars DESC
                """
            ).bind(run.key).all { row in
                (Stars(halves: row.integer(0)) ?? .least, row.integer(1))
            }
        }
    }
}

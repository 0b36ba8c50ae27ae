import Model

/// The high-water marks of members of clubs (the table `marks`). Only the writer changes them.
enum HighWaterMarks {
    typealias Values = [HighWaterMarkKey: Int64]

    static let forever = Int64.max

    // MARK: Current values

    /// Returns the current value of a mark.
    static func now(_ reader: Int64, _ key: HighWaterMarkKey, in connection: SQLiteConnection) throws(SQLiteError)
        -> Int64
    {
        try connection.statement(
            "SELECT value FROM marks WHERE reader = ?1 AND book = ?2 AND scale = ?3 AND until = ?4"
        )
        .bind(reader, key.book, key.scale, forever).number() ?? 0
    }

    private static let current = SQLVariants<Bool> { isOfOneBook in
        """
        SELECT book, scale, value FROM marks
        WHERE reader = ?1 \(isOfOneBook ? "AND book = ?2" : "") AND until = \(forever) AND value > 0
        """
    }

    /// Returns a reader's current marks, of one book or all.
    static func now(_ reader: Int64, book: Int64? = nil, in connection: SQLiteConnection) throws(SQLiteError) -> Values
    {
        try values(connection.statement(current, book != nil).bind(reader, book))
    }

    // MARK: Derived values

    /// All sources of marks: entries, finished readings and knowledge.
    private static let sources = """
        SELECT reader, book, entries.progress, scale, amount, chapters, chapters_amount
            FROM readings JOIN entries ON entries.reading = readings.key
        UNION ALL SELECT reader, book, \(Progress.whole.millionths), NULL, NULL, NULL, NULL
            FROM readings WHERE state = 'finished'
        UNION ALL SELECT reader, book, progress, scale, amount, chapters, chapters_amount FROM knowledge
        """

    /// The amount of each source in each of its scales.
    private static let amounts = """
        SELECT reader, book, scale, amount FROM (\(sources)) WHERE scale IS NOT NULL
        UNION ALL SELECT reader, book, chapters, chapters_amount FROM (\(sources)) WHERE chapters IS NOT NULL
        UNION ALL SELECT reader, book, 0, progress FROM (\(sources))
        """

    private static let derived = SQLVariants<Bool> { isOfOneBook in
        """
        SELECT book, scale, max(amount) FROM (\(amounts))
        WHERE reader = ?1 \(isOfOneBook ? "AND book = ?2" : "") AND amount > 0 GROUP BY book, scale
        """
    }

    /// Returns the marks that follow from a reader's entries, finished readings and knowledge, of one book or all.
    static func derived(_ reader: Int64, book: Int64? = nil, in connection: SQLiteConnection) throws(SQLiteError)
        -> Values
    {
        try values(connection.statement(derived, book != nil).bind(reader, book))
    }

    private static let furthestInScales = SQLText(
        """
        SELECT max(progress), max(CASE ?3 WHEN scale THEN amount WHEN chapters THEN chapters_amount END),
            max(CASE ?4 WHEN scale THEN amount WHEN chapters THEN chapters_amount END)
        FROM (\(sources)) WHERE reader = ?1 AND book = ?2
        """)

    /// Returns the marks of one book that follow in the scales of one source: the share and at most two others. The
    /// entries are read once, because there may be very many.
    static func derived(
        _ reader: Int64, _ keys: [HighWaterMarkKey], in connection: SQLiteConnection
    ) throws(SQLiteError) -> Values {
        guard let book = keys.first?.book else { return [:] }
        let scales = keys.map(\.scale).filter { $0 > 0 }
        let furthest = try connection.statement(furthestInScales)
            .bind(reader, book, scales.first, scales.dropFirst().first)
            .first { row in (0..<3).map { row.integer($0) } }
        return Values(
            uniqueKeysWithValues: keys.map { ($0, furthest?[(scales.firstIndex(of: $0.scale) ?? -1) + 1] ?? 0) })
    }

    /// Returns the marks of a position in a book.
    static func values(_ progress: Progress, _ scaled: ScaledPosition = .init(), inBook book: Int64) -> Values {
        let scales = scaled.all.map { (HighWaterMarkKey(book: book, scale: $0.scale), $0.amount) }
        return Values(scales + [(HighWaterMarkKey(shareOf: book), Int64(progress.millionths))]) { max($0, $1) }
    }

    private static func values(_ statement: SQLiteStatement) throws(SQLiteError) -> Values {
        let rows = try statement.all { (HighWaterMarkKey(book: $0.integer(0), scale: $0.integer(1)), $0.integer(2)) }
        return Values(rows) { max($0, $1) }
    }

    // MARK: History

    /// Ends a mark's interval and starts the next one at the next change of the log.
    static func set(
        _ reader: Int64, _ key: HighWaterMarkKey, to value: Int64, seq: Int64, at now: Instant,
        in connection: SQLiteConnection
    ) throws(SQLiteError) {
        // A mark that changes twice before a change is logged has one interval.
        try connection.statement(
            "DELETE FROM marks WHERE reader = ?1 AND book = ?2 AND scale = ?3 AND until = ?5 AND since >= ?4"
        ).bind(reader, key.book, key.scale, seq, forever).run()
        // Intervals that ended before the beginning of the log are no longer needed.
        try connection.statement(
            """
            DELETE FROM marks WHERE reader = ?1 AND book = ?2 AND scale = ?3
                AND until <= (SELECT min(seq) FROM changes)
            """
        ).bind(reader, key.book, key.scale).run()
        try connection.statement(
            "UPDATE marks SET until = ?4 WHERE reader = ?1 AND book = ?2 AND scale = ?3 AND until = ?5"
        ).bind(reader, key.book, key.scale, seq, forever).run()
        try connection.statement(
            """
            INSERT INTO marks (reader, book, scale, value, since, until, reached_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        ).bind(reader, key.book, key.scale, value, seq, forever, now).run()
    }

    /// The rules that a mark's intervals have no gaps, and that members' marks follow from other tables.
    static let rules = [
        """
        SELECT 'marks: reader ' || reader || ' in scale ' || scale || ' has a gap at ' || until FROM (
            SELECT reader, scale, until,
                ifnull(lead(since) OVER (PARTITION BY reader, book, scale ORDER BY since), \(forever)) AS next FROM marks)
        WHERE until <> next
        """,
        """
        SELECT 'marks: reader ' || reader || ' is elsewhere in scale ' || scale FROM (
            SELECT reader, book, scale, max(amount) AS furthest FROM (\(amounts)
                UNION ALL SELECT reader, book, scale, 0 FROM marks WHERE scale >= 0 AND until = \(forever))
            WHERE reader IN (SELECT reader FROM members) GROUP BY reader, book, scale) AS derived
        WHERE furthest <> ifnull((SELECT marks.value FROM marks WHERE marks.reader = derived.reader
            AND marks.book = derived.book AND marks.scale = derived.scale AND marks.until = \(forever)), 0)
        """,
        """
        SELECT 'marks: member ' || hex(members.id) || ' sees more or less of the club than moderators do' FROM members
        JOIN clubs ON clubs.key = members.club
        WHERE (clubs.moderators_see_ahead = 1 AND members.role <> 'member') <> EXISTS (
            SELECT 1 FROM marks WHERE marks.reader = members.reader AND marks.book = 0 AND marks.scale = -members.club
                AND marks.until = \(forever) AND marks.value > 0)
        """,
    ]
}

package import Model

/// The position and the time at which a note became visible to a reader.
package struct NoteVisibility: Sendable {
    /// The position, in the reader's edition or pages if possible, or `nil` for a note for everyone.
    package let position: Position?
    package let at: Instant
}

extension ReadConnection {
    /// Returns the positions and times at which notes became visible to a reader. The caller must have checked that the
    /// reader sees them.
    package func visibilities(of notes: [Note], for viewer: Viewer) throws(RequestError) -> [NoteVisibility] {
        try query { db throws(SQLiteError) in
            var resolvers: [Int64: PositionResolver] = [:]
            var opened: [NoteVisibility] = []
            for note in notes {
                if resolvers[note.bookKey] == nil {
                    resolvers[note.bookKey] = try NoteOpening.resolver(of: viewer, note, in: db)
                }
                let resolver = resolvers[note.bookKey] ?? PositionResolver()
                opened.append(
                    NoteVisibility(
                        position: try NoteOpening.position(of: note, resolver, in: db),
                        at: try NoteOpening.time(of: note, for: viewer.readerKey, in: db)))
            }
            return opened
        }
    }
}

private enum NoteOpening {
    /// Returns the position resolver for the viewer's reading of a note's book.
    static func resolver(
        of viewer: Viewer, _ note: Note, in db: SQLiteConnection
    ) throws(SQLiteError) -> PositionResolver {
        guard let reading = try ReadingTable.current(reader: viewer.readerKey, book: note.bookKey, in: db) else {
            let pageCount = try BookTable.find(key: note.bookKey, in: db)?.pageCount
            return PositionResolver(pageCount: pageCount)
        }
        return try PositionResolverSource.resolver(
            of: reading.edition, ofBook: note.bookKey, pageCount: reading.pageCount, in: db)
    }

    /// Returns the position at which the viewer's marks reach the threshold.
    static func position(
        of note: Note, _ resolver: PositionResolver, in db: SQLiteConnection
    ) throws(SQLiteError) -> Position? {
        let threshold = note.threshold
        guard threshold.share > .none else { return nil }
        if let key = threshold.scale, let at = threshold.at,
            let scale = try ComparisonScaleTable.find(key: key, in: db),
            let value = resolver.value(at: ScaleAmount(scale, at))
        {
            return Position(value, edition: resolver.edition?.id)
        }
        return resolver.position(at: threshold.share)
    }

    /// Returns the SQL for the time since which a mark has continuously reached a threshold: the start of the first
    /// sufficient interval after the last lower one.
    private static func reached(_ book: String, _ scale: String, _ least: String) -> String {
        let mark = "FROM marks WHERE reader = ?1 AND book = \(book) AND scale = \(scale)"
        return """
            (SELECT reached_at \(mark) AND value >= \(least) AND until > ifnull((
                SELECT until \(mark) AND value < \(least) ORDER BY until DESC LIMIT 1), 0) ORDER BY until LIMIT 1)
            """
    }

    private static let times = SQLText(
        """
        SELECT max(notes.created_at, ifnull(members.created_at, 0),
                ifnull((SELECT changes.at FROM changes WHERE changes.seq = notes.to_club), 0)),
            CASE WHEN notes.author <> ?1 AND notes.share > 0 THEN min(
                ifnull(\(reached("notes.book", "0", "notes.share")), \(HighWaterMarks.forever)),
                ifnull(CASE WHEN notes.scale IS NOT NULL THEN \(reached("notes.book", "notes.scale", "notes.at")) END, \(HighWaterMarks.forever)),
                ifnull(\(reached("0", "-notes.club", "1")), \(HighWaterMarks.forever))) END
        FROM notes LEFT JOIN members ON members.club = notes.club AND members.reader = ?1 WHERE notes.key = ?2
        """)

    /// Returns the time at which a note became visible to the viewer.
    static func time(of note: Note, for reader: Int64, in db: SQLiteConnection) throws(SQLiteError) -> Instant {
        let created = note.createdAt ?? Instant(milliseconds: 0)
        guard note.authorKey != reader else { return created }
        let times = try db.statement(times).bind(reader, note.key).first {
            (shared: $0.integer(0), reached: $0.optionalInteger(1))
        }
        guard let times else { return created }
        guard let reached = times.reached, reached != HighWaterMarks.forever else {
            return Instant(milliseconds: times.shared)
        }
        return Instant(milliseconds: max(times.shared, reached))
    }
}

import Model

/// How far a reader has come at a place: see the table `reach`.
struct Reached: Sendable {
    /// A book's key, for what names no edition; a frame in which positions compare exactly; or the negative key of a club in which
    /// the reader sees everything.
    let place: Int64
    let share: Progress
}

extension [Reached] {
    /// What is reached by a share of a book's story: exactly in its frame, and, rounded down, in all others.
    static func by(_ share: Progress, in frame: Int64?, _ floor: Progress?, ofBook book: Int64) -> [Reached] {
        guard let frame, let floor else { return [Reached(place: book, share: share)] }
        return [Reached(place: frame, share: share), Reached(place: Place.coarse(ofBook: book), share: floor)]
    }
}

extension Entry {
    /// What it says that its reader has reached.
    func reached(ofBook book: Int64) -> [Reached] { .by(progress, in: frame, floor, ofBook: book) }
}

/// From what it follows how far readers have come. The furthest at each place is what `reach` keeps for members of clubs.
enum ReachSources {
    /// One query for all. Of each way to have come somewhere: the reader, the book, the place, how far, the reading, if it is of
    /// one, and whether it is that one's end. An entry that is left out counts for nothing.
    static func all(exceptEntry entry: String) -> String {
        [
            unsaid(exceptEntry: entry), framed(at: "entries.frame", "entries.progress", entry),
            framed(at: Place.coarseSQL(ofBook: "readings.book"), "entries.floor", entry), finished, known,
        ].joined(separator: " UNION ALL ")
    }

    /// In place of a reading's key: what is known without one.
    static let knowledge: Int64 = -1

    /// What names no edition, of each reading.
    private static func unsaid(exceptEntry entry: String) -> String {
        """
        SELECT reader, book, book AS place, (SELECT max(progress) FROM entries
            WHERE entries.reading = readings.key AND entries.frame IS NULL AND entries.key IS NOT \(entry)) AS share,
            key AS reading, 0 AS isEnd
        FROM readings
        """
    }

    /// What names one, at its frame and, rounded, for all others. What is left out came nowhere, but is listed.
    private static func framed(at place: String, _ share: String, _ entry: String) -> String {
        """
        SELECT readings.reader, readings.book, \(place), CASE WHEN entries.key IS \(entry) THEN 0 ELSE \(share) END,
            readings.key, 0
        FROM readings JOIN entries ON entries.reading = readings.key WHERE entries.frame IS NOT NULL
        """
    }

    /// Who has finished has reached everything: no note opens later than at the whole.
    private static let finished =
        "SELECT reader, book, book, 1000000, key, 1 FROM readings WHERE state = 'finished'"

    /// Who knows it beforehand has come as far as by an entry there.
    private static let known = """
        SELECT reader, book, ifnull(frame, book), progress, \(knowledge), 0 FROM knowledge
        UNION ALL SELECT reader, book, \(Place.coarseSQL(ofBook: "book")), floor, \(knowledge), 0 FROM knowledge
        WHERE frame IS NOT NULL
        """
}

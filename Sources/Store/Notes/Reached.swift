import Model

/// How far a reader has come at a place: see the table `reach`.
struct Reached: Sendable {
    /// A book's key, for what names no edition; a frame in which places compare exactly; or the negative key of a club in which the
    /// reader sees everything.
    let place: Int64
    /// In what that place counts.
    let at: Int64

    init(place: Int64, at: Int64) { (self.place, self.at) = (place, at) }

    init(place: Int64, share: Progress) { self.init(place: place, at: Int64(share.millionths)) }
}

extension Entry {
    /// What it says that its reader has reached: exactly in its frame, by chapters, and, rounded down, anywhere.
    func reached(ofBook book: Int64) -> [Reached] {
        guard let frame, let inFrame, let floor else { return [Reached(place: book, share: progress)] }
        return .by(inFrame, in: frame, leastByChapters, floor, ofBook: book)
    }
}

extension Knowledge {
    /// How far its reader has come by it.
    var reached: [Reached] {
        guard let frame, let inFrame, let floor else { return [Reached(place: bookKey, share: progress)] }
        return .by(inFrame, in: frame, leastByChapters, floor, ofBook: bookKey)
    }
}

extension [Reached] {
    fileprivate static func by(
        _ at: Int64, in frame: Int64, _ leastByChapters: Int64?, _ floor: Progress, ofBook book: Int64
    ) -> [Reached] {
        let chapters = leastByChapters.map { [Reached(place: Place.chapters(ofBook: book), at: $0)] } ?? []
        return [Reached(place: frame, at: at)] + chapters + [Reached(place: Place.coarse(ofBook: book), share: floor)]
    }
}

/// From what it follows how far readers have come. The furthest at each place is what `reach` keeps for members of clubs.
enum ReachSources {
    /// One query for all. Of each way to have come somewhere: the reader, the book, the place, how far, the reading, if it is of
    /// one, and whether it is that one's end. An entry that is left out counts for nothing.
    static func all(exceptEntry entry: String) -> String {
        [
            unsaid(exceptEntry: entry), framed(at: "entries.frame", "entries.frame_at", entry),
            framed(at: Place.chaptersSQL(ofBook: "readings.book"), "entries.chapters_at", entry),
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
        FROM readings JOIN entries ON entries.reading = readings.key
        WHERE entries.frame IS NOT NULL AND \(share) IS NOT NULL
        """
    }

    /// Who has finished has reached everything: no note opens later than at the whole.
    private static let finished =
        "SELECT reader, book, book, 1000000, key, 1 FROM readings WHERE state = 'finished'"

    /// Who knows it beforehand has come as far as by an entry there.
    private static let known = """
        SELECT reader, book, ifnull(frame, book), ifnull(frame_at, progress), \(knowledge), 0 FROM knowledge
        UNION ALL SELECT reader, book, \(Place.chaptersSQL(ofBook: "book")), chapters_at, \(knowledge), 0 FROM knowledge
        WHERE chapters_at IS NOT NULL
        UNION ALL SELECT reader, book, \(Place.coarseSQL(ofBook: "book")), floor, \(knowledge), 0 FROM knowledge
        WHERE frame IS NOT NULL
        """
}

import Model

/// How far readers have ever been: steps of `reach`. Only the writer writes them.
enum Reach {
    private static let forever = Int64.max

    /// How far a reader is at a place now, as far as it is kept.
    static func now(_ reader: Int64, _ place: Int64, in connection: Connection) throws(SQLiteError) -> Int64 {
        try connection.statement(
            "SELECT progress FROM reach WHERE reader = ?1 AND place = ?2 AND since > 0 ORDER BY since DESC LIMIT 1"
        ).bind(1, reader).bind(2, place).first { $0.integer(0) } ?? 0
    }

    /// Begins a step with the change that comes next.
    static func step(
        _ reader: Int64, _ place: Int64, to progress: Int64, at seq: Int64, in connection: Connection
    ) throws(SQLiteError) {
        try connection.statement("UPDATE reach SET until = ?3 WHERE reader = ?1 AND place = ?2 AND until = ?4")
            .bind(1, reader).bind(2, place).bind(3, seq).bind(4, forever).run()
        try connection.statement(
            """
            INSERT INTO reach (reader, place, since, until, progress) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT DO UPDATE SET until = excluded.until, progress = excluded.progress
            """
        ).bind(1, reader).bind(2, place).bind(3, seq).bind(4, forever).bind(5, progress).run()
    }

    private static let furthest = Variants<Bool> { isOfOneBook in
        """
        SELECT place, max(CASE WHEN reading IS ?5 OR isEnd AND reading IS ?4 THEN 0 ELSE share END)
        FROM (\(ReachSources.all(exceptEntry: "?3"))) WHERE reader = ?1 \(isOfOneBook ? "AND book = ?2" : "")
        GROUP BY place ORDER BY place
        """
    }

    /// The furthest that a reader has come at each place of a book, or of all, leaving out an entry and taking out a reading's
    /// end, or the whole reading. Where only what is left out had come, they are nowhere.
    static func furthest(
        _ reader: Int64, book: Int64? = nil, exceptEntry entry: Int64 = 0, reopening: Int64 = 0,
        exceptReading reading: Int64 = 0, in connection: Connection
    ) throws(SQLiteError) -> [Reached] {
        let statement = try connection.statement(furthest, book != nil).bind(1, reader).bind(3, entry)
            .bind(4, reopening).bind(5, reading)
        if let book { statement.bind(2, book) }
        return try statement.all { Reached(place: $0.integer(0), at: $0.integer(1)) }
    }

    /// Notes that one row of the log says to be unlocked.
    private static let notesMax = 32

    /// The notes' keys by their clubs, in the order of the book, so many together.
    static func groups(of notes: [NotesAhead.Found]) -> [(club: Int64, notes: [Int64])] {
        var groups: [(club: Int64, notes: [Int64])] = []
        var open: [Int64: Int] = [:]
        for note in notes {
            if let place = open[note.club], groups[place].notes.count < notesMax {
                groups[place].notes.append(note.key)
            } else {
                open[note.club] = groups.count
                groups.append((note.club, [note.key]))
            }
        }
        return groups
    }

    /// So many notes together.
    static func slices(of notes: [Int64]) -> [[Int64]] {
        stride(from: 0, to: notes.count, by: notesMax).map { Array(notes[$0..<min($0 + notesMax, notes.count)]) }
    }

    /// The places at which a reader is somewhere now.
    static func places(of reader: Int64, in connection: Connection) throws(SQLiteError) -> [Int64] {
        try connection.statement("SELECT place FROM reach WHERE reader = ?1 AND until = ?2 AND progress > 0")
            .bind(1, reader).bind(2, forever).all { $0.integer(0) }
    }
}

extension WriteState {
    /// What follows for the notes of the reader's clubs when they have come this far, or, unless they may fall back, further
    /// than they ever were: the steps, then what these unlock.
    func consequences(
        reader: Int64, reached: [Reached], mayFallBack: Bool = true
    ) throws(LecternError) -> [any Proposal] {
        try query { db throws(SQLiteError) in
            var steps: [any Proposal] = []
            var rises: [NotesAhead.Rise] = []
            for reached in reached {
                let old = try Reach.now(reader, reached.place, in: db)
                guard mayFallBack ? reached.at != old : reached.at > old else { continue }
                steps.append(ReachStep(reader: reader, place: reached.place, to: reached.at))
                if reached.at > old { rises.append(.init(place: reached.place, from: old, to: reached.at)) }
            }
            let notes = try NotesAhead.unlocked(for: reader, by: rises, in: db)
            return steps + Reach.groups(of: notes).map { Unlock(notes: $0.notes, club: $0.club, reader: reader) }
        }
    }

    /// The same after an entry: nothing for who is in no club.
    func consequences(of entry: Entry, in reading: Reading) throws(LecternError) -> [any Proposal] {
        guard reading.isOfMember else { return [] }
        return try consequences(
            reader: reading.readerKey, reached: entry.reached(ofBook: reading.bookKey), mayFallBack: false)
    }

    /// The same after something was undone, finished or reopened.
    func consequences(
        of reading: Reading, exceptEntry entry: Int64 = 0, reopening: Bool = false, finishing: Bool = false,
        deleting: Bool = false
    ) throws(LecternError) -> [any Proposal] {
        guard reading.isOfMember else { return [] }
        let furthest = try query { db throws(SQLiteError) in
            try Reach.furthest(
                reading.readerKey, book: reading.bookKey, exceptEntry: entry, reopening: reopening ? reading.key : 0,
                exceptReading: deleting ? reading.key : 0, in: db)
        }
        return try consequences(
            reader: reading.readerKey,
            reached: furthest.map { reached in
                let isWhole = finishing && reached.place == reading.bookKey
                return isWhole ? Reached(place: reached.place, share: .whole) : reached
            })
    }
}

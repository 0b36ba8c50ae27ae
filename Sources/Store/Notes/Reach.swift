import Model

/// How far readers have ever been: steps of `reach`. Only the writer writes them.
enum Reach {
    private static let forever = Int64.max

    /// How far a reader is at a place now, as far as it is kept.
    static func now(_ reader: Int64, _ place: Int64, in connection: Connection) throws(SQLiteError) -> Progress {
        let found = try connection.statement(
            "SELECT progress FROM reach WHERE reader = ?1 AND place = ?2 ORDER BY since DESC LIMIT 1"
        ).bind(1, reader).bind(2, place).first { $0.integer(0) }
        return Progress(clamping: found ?? 0)
    }

    /// Begins a step with the change that comes next.
    static func step(
        _ reader: Int64, _ place: Int64, to progress: Progress, at seq: Int64, in connection: Connection
    ) throws(SQLiteError) {
        try connection.statement("UPDATE reach SET until = ?3 WHERE reader = ?1 AND place = ?2 AND until = ?4")
            .bind(1, reader).bind(2, place).bind(3, seq).bind(4, forever).run()
        try connection.statement(
            """
            INSERT INTO reach (reader, place, since, until, progress) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT DO UPDATE SET until = excluded.until, progress = excluded.progress
            """
        ).bind(1, reader).bind(2, place).bind(3, seq).bind(4, forever).bind(5, Int64(progress.millionths)).run()
    }

    /// The furthest that a reader's readings of a book have come, leaving out an entry and taking out a reading's end, or
    /// the whole reading.
    static func furthest(
        _ reader: Int64, book: Int64, exceptEntry entry: Int64 = 0, reopening: Int64 = 0,
        exceptReading reading: Int64 = 0,
        in connection: Connection
    ) throws(SQLiteError) -> Progress {
        let found = try connection.statement(
            """
            SELECT max(progress) FROM (
                SELECT 1000000 AS progress FROM readings
                WHERE reader = ?1 AND book = ?2 AND state = 'finished' AND key <> ?4 AND key <> ?5
                UNION ALL
                SELECT ifnull(entries.floor, entries.progress) FROM entries JOIN readings ON readings.key = entries.reading
                WHERE readings.reader = ?1 AND readings.book = ?2 AND entries.key <> ?3 AND readings.key <> ?5)
            """
        ).bind(1, reader).bind(2, book).bind(3, entry).bind(4, reopening).bind(5, reading).first { $0.integer(0) }
        return Progress(clamping: found ?? 0)
    }

    /// Notes that one row of the log says to be unlocked.
    private static let notesMax = 32

    /// The notes' keys by their clubs, in the order of the book, so many together.
    static func groups(of notes: [(key: Int64, club: Int64)]) -> [(club: Int64, notes: [Int64])] {
        var groups: [(club: Int64, notes: [Int64])] = []
        var open: [Int64: Int] = [:]
        for (key, club) in notes {
            if let place = open[club], groups[place].notes.count < notesMax {
                groups[place].notes.append(key)
            } else {
                open[club] = groups.count
                groups.append((club, [key]))
            }
        }
        return groups
    }

    /// The places at which a reader is somewhere now.
    static func places(of reader: Int64, in connection: Connection) throws(SQLiteError) -> [Int64] {
        try connection.statement("SELECT place FROM reach WHERE reader = ?1 AND until = ?2 AND progress > 0")
            .bind(1, reader).bind(2, forever).all { $0.integer(0) }
    }

    /// The books that a reader has readings of.
    static func books(of reader: Int64, in connection: Connection) throws(SQLiteError) -> [Int64] {
        try connection.statement("SELECT DISTINCT book FROM readings WHERE reader = ?1").bind(1, reader).all {
            $0.integer(0)
        }
    }
}

extension WriteState {
    /// What follows for the notes of the reader's clubs when they are now this far, or, unless they may fall back, further
    /// than they ever were: the step, then what it unlocks.
    func consequences(
        reader: Int64, place: Int64, progress: Progress, mayFallBack: Bool = true
    ) throws(LecternError) -> [any Proposal] {
        try query { db throws(SQLiteError) in
            let old = try Reach.now(reader, place, in: db)
            guard mayFallBack ? progress != old : progress > old else { return [] }
            let step = ReachStep(reader: reader, place: place, to: progress)
            guard progress > old else { return [step] }
            let notes = try NoteTable.unlocked(for: reader, place: place, from: old, to: progress, in: db)
            return [step] + Reach.groups(of: notes).map { Unlock(notes: $0.notes, club: $0.club, reader: reader) }
        }
    }

    /// The same after an entry: nothing for who is in no club.
    func consequences(of entry: Entry, in reading: Reading) throws(LecternError) -> [any Proposal] {
        guard reading.isOfMember else { return [] }
        return try consequences(
            reader: reading.readerKey, place: reading.bookKey, progress: entry.floor ?? entry.progress,
            mayFallBack: false)
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
            reader: reading.readerKey, place: reading.bookKey, progress: finishing ? .whole : furthest)
    }
}

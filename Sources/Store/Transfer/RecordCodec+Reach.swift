import JSON
import Model

/// How far readers had come once, and are no longer: what they saw then stays in their sight, and follows from no other line.
extension RecordCodec {
    static let reach = RecordCodec(
        kind: "reach", whole: ReachBefore.all,
        write: { statement, _, json in
            json.name("reader")
            json.id(statement.id(0))
            json.name("by")
            json.string(statement.text(1))
            json.name("of")
            json.value(statement.optionalID(2))
            json.name("share")
            json.integer(statement.integer(3))
            json.name("through")
            json.id(statement.id(4))
        },
        read: { line, state, _, context throws(LecternError) in
            try ReachBefore.bring(line, state, context)
        })
}

/// A step of `reach` that is over, told without the log: what it shows is what was written before the change `until`, so its line
/// names the last note that it shows. Taken in it is a step of no time here, with a beginning before all changes, by which it is
/// told from those that follow one another.
enum ReachBefore {
    /// Against what its share holds.
    enum By: String, CaseIterable, Sendable {
        case book
        case chapters
        case edition
        /// In every edition of a book, rounded down.
        case editions
        case club

        func place(of key: Int64) -> Int64 {
            switch self {
            case .book: key
            case .chapters: Place.chapters(ofBook: key)
            case .edition: Place.edition(key)
            case .editions: Place.coarse(ofBook: key)
            case .club: -key
            }
        }

        /// The whole, in what it counts in.
        var max: Int64 {
            switch self {
            case .book, .editions, .club: shareMax
            case .chapters, .edition: shareMax * Place.fine
            }
        }
    }

    private static let forever = Int64.max
    private static let shareMax = Int64(Progress.whole.millionths)

    /// Each is said once for the last note that it shows, and not at all where a later one goes as far.
    static let all = SQL(
        """
        WITH placed AS (
            SELECT reach.*, CASE WHEN place < 0 THEN 'club' ELSE CASE place & ~\(Place.mask)
                WHEN 0 THEN 'book' WHEN \(Place.chapters(ofBook: 0)) THEN 'chapters'
                WHEN \(Place.edition(0)) THEN 'edition' ELSE 'editions' END END AS by,
                CASE WHEN place < 0 THEN -place ELSE place & \(Place.mask) END AS key FROM reach
        ), found AS (
            SELECT reader, place, by, key, progress, CASE WHEN until = \(forever) THEN until
                WHEN by = 'club' THEN (SELECT notes.key FROM notes WHERE notes.club = placed.key
                    AND notes.key < placed.until AND notes.body IS NOT NULL ORDER BY notes.key DESC LIMIT 1)
                ELSE (SELECT notes.key FROM notes WHERE notes.book = CASE by WHEN 'edition'
                        THEN (SELECT book FROM editions WHERE editions.key = placed.key) ELSE placed.key END
                    AND notes.key < placed.until AND notes.body IS NOT NULL AND notes.club IS NOT NULL
                    ORDER BY notes.key DESC LIMIT 1) END AS through
            FROM placed
        ), shown AS (
            SELECT reader, place, by, key, through, max(progress) AS progress FROM found
            WHERE through IS NOT NULL AND reader IN (SELECT readers.key FROM readers WHERE has_left = 0)
            GROUP BY reader, place, through
        ), further AS (
            SELECT *, max(progress) OVER (PARTITION BY reader, place ORDER BY through DESC
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS later FROM shown
        )
        SELECT (SELECT id FROM readers WHERE readers.key = reader), by, CASE by
                WHEN 'club' THEN (SELECT id FROM clubs WHERE clubs.key = further.key)
                WHEN 'edition' THEN (SELECT id FROM editions WHERE editions.key = further.key)
                ELSE (SELECT id FROM books WHERE books.key = further.key) END,
            progress, (SELECT id FROM notes WHERE notes.key = through)
        FROM further WHERE through <> \(forever) AND progress > ifnull(later, 0)
        ORDER BY reader, place, through
        """)

    static func bring(
        _ line: JSONValue, _ state: borrowing WriteState, _ context: ImportContext
    ) throws(LecternError) -> Decision {
        var decoder = ObjectDecoder(line)
        // The member was read before to choose this codec.
        _ = decoder.value("kind")
        let (reader, of, through) = (decoder.id("reader"), decoder.id("of"), decoder.id("through"))
        let by: Patch<By> = decoder.choice("by")
        let share = decoder.integer("share", in: 1...(By.edition.max)).value
        try decoder.demandValid()
        guard let reader, let of, let through, case .set(let by) = by, let share else {
            throw .invalid([Violation(pointer: "", detail: "must have reader, by, of, share and through")])
        }
        guard share <= by.max else {
            throw .invalid([Violation(pointer: "/share", detail: "must be at most \(by.max) by that")])
        }
        let key = try state.readerKey(reader, of: "reader", context)
        guard let note = try state.read(NoteTable.current(through, in: state.db)) else { throw .unknown("through") }
        let owner = try state.owner(of, by)
        guard let club = note.clubKey, (by == .club ? club : note.bookKey) == owner.of else {
            throw .invalid([Violation(pointer: "/through", detail: "is no note of a club on what the line is of")])
        }
        let place = by.place(of: owner.key)
        let step = ReachedBefore(reader: key, place: place, share: share, until: note.key + 1)
        guard try !state.read(step.isThere(in: state.db)) else { return Decision([]) }
        let found = try state.query { db throws(SQLiteError) in
            try NotesAhead.unlocked(for: key, by: [.init(place: place, from: 0, to: share)], in: db)
        }
        let unlocked = Reach.groups(of: found.filter { $0.key <= note.key }).map {
            Unlock(notes: $0.notes, club: $0.club, reader: key)
        }
        return Decision([step] + unlocked)
    }
}

extension WriteState {
    /// The key of what a share holds against, and that of its book, or of the club.
    fileprivate func owner(_ id: ResourceID, _ by: ReachBefore.By) throws(LecternError) -> (key: Int64, of: Int64) {
        switch by {
        case .club:
            guard let club = try read(ClubTable.find(id, in: db)) else { throw .unknown("of") }
            return (club.key, club.key)
        case .edition:
            guard let edition = try read(EditionTable.find(id, in: db)) else { throw .unknown("of") }
            return (edition.key, edition.bookKey)
        case .book, .chapters, .editions:
            guard let book = try read(BookTable.find(id, in: db)) else { throw .unknown("of") }
            return (book.key, book.key)
        }
    }
}

/// The same as a row.
private struct ReachedBefore: Proposal {
    let reader: Int64
    let place: Int64
    let share: Int64
    let until: Int64

    func isThere(in connection: Connection) throws(SQLiteError) -> Bool {
        try connection.statement(
            "SELECT 1 FROM reach WHERE reader = ?1 AND place = ?2 AND progress >= ?3 AND until >= ?4 LIMIT 1"
        ).bind(1, reader).bind(2, place).bind(3, share).bind(4, until).first { _ in true } ?? false
    }

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        try application.connection.statement(
            """
            INSERT INTO reach (reader, place, since, until, progress) VALUES (?1, ?2, -?3, ?3, ?4)
            ON CONFLICT DO UPDATE SET progress = max(progress, excluded.progress)
            """
        ).bind(1, reader).bind(2, place).bind(3, until).bind(4, share).run()
        application.noteSilentWrite()
        return .silentlyCreated
    }
}

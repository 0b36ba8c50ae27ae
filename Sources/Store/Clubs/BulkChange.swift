import Model

/// A change to many rows, written in slices between batches. It is stored, so it continues after a restart.
///
/// The first slice is written in the commit of the change that causes it.
struct BulkChange: Sendable {
    let kind: BulkChangeKind
    /// The key of the book for `title`, and of the reader for the other kinds.
    let subject: Int64
    /// The key of the club whose notes change, or `nil` for all clubs.
    var club: Int64?
    /// The key of the last note that was visited.
    var place: Int64 = 0
    /// The change of the log before which the notes must have been created.
    var end = Int64.max

    /// The maximum number of notes, or of rows of another table, that one command changes.
    static let countMax = 100

    /// Returns the change whose next slice is due, or `nil` if there is none. A reader can begin a change of names again
    /// and again, so it comes after all others.
    static func first(in connection: SQLiteConnection) throws(SQLiteError) -> BulkChange? {
        try connection.statement(
            """
            SELECT kind, subject, club, place, until FROM bulk_changes
            WHERE (kind = 'noteName') = (SELECT min(kind = 'noteName') FROM bulk_changes)
            ORDER BY subject, club, kind LIMIT 1
            """
        ).first { row throws(SQLiteError) in
            BulkChange(
                kind: try row.choice(0, "bulk_changes.kind", key: row.integer(1)), subject: row.integer(1),
                club: row.integer(2) == 0 ? nil : row.integer(2), place: row.integer(3), end: row.integer(4))
        }
    }

    /// The write that stores the rest of the change.
    var storage: UnloggedWrite {
        UnloggedWrite(
            """
            INSERT OR REPLACE INTO bulk_changes (subject, club, kind, place, until)
            VALUES (?1, ?2, ?3, ?4, min(?5, (SELECT max(seq) + 1 FROM changes)))
            """, subject, club ?? 0, kind.rawValue, place, end)
    }

    /// The write that records that all rows are written.
    var deletion: UnloggedWrite {
        UnloggedWrite(
            "DELETE FROM bulk_changes WHERE subject = ?1 AND club = ?2 AND kind = ?3", subject, club ?? 0,
            kind.rawValue)
    }
}

/// The kind of a bulk change. The raw values are stored.
enum BulkChangeKind: String, Sendable {
    /// Runs and meetings get the current title of their book.
    case title
    /// Standings and attendances get the current name of their reader.
    case name
    /// A reader's notes in clubs get the name that the reader has in the club.
    case noteName
    /// A reader's notes in clubs no longer name their author.
    case nameless
    /// A reader's notes in clubs are deleted.
    case delete
}

/// The next writes of a bulk change.
struct BulkChangeSlice {
    /// The writes to the rows themselves.
    var own: [any CommandChange] = []
    /// The writes to other notes: the first notes of threads with deleted replies.
    var others: [any CommandChange] = []
    /// The rest of the change, or `nil` after the last slice.
    var rest: BulkChange?

    /// The writes of a first slice to the rows themselves, with the one that stores the rest.
    var beginning: [any CommandChange] { own + (rest.map { [$0.storage] } ?? []) }
}

extension Command {
    /// Writes the next slice of a bulk change. The writer repeats it until there is none.
    static let continueBulkChange = Command { state, _ throws(RequestError) in
        guard let change = try state.query(BulkChange.first(in: state.db)) else { return CommandDecision([]) }
        let slice =
            switch change.kind {
            case .title:
                try state.copying(state.query(BookTable.find(key: change.subject, in: state.db)?.title), by: change)
            case .name:
                try state.copying(state.query(ReaderTable.find(key: change.subject, in: state.db)?.name), by: change)
            case .noteName, .nameless, .delete: try state.changingNotes(by: change)
            }
        return CommandDecision(slice.own + slice.others + [slice.rest?.storage ?? change.deletion])
    }
}

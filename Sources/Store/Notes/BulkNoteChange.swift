import Model

/// A change to all of a reader's notes in clubs, written in slices between batches. It is stored, so it continues after
/// a restart.
struct BulkNoteChange: Sendable {
    let kind: BulkNoteChangeKind
    let reader: Int64
    /// The key of the club, or `nil` for all clubs.
    let club: Int64?
    /// The key of the last note that was visited.
    var place: Int64 = 0
    /// The change of the log before which the notes must have been created.
    var end = Int64.max

    /// The maximum number of notes that one command visits; `countMax` limits the notes that it changes.
    static let visitedMax = 1000
    static let countMax = 100

    /// Returns the reader's next notes, including those that do not need the change.
    func next(in connection: SQLiteConnection) throws(SQLiteError) -> [Note] {
        try NoteTable.matching(
            "notes.author = ?1 AND notes.key > ?2 AND notes.key < ?3 ORDER BY notes.key LIMIT ?4", in: connection
        ).bind(reader, place, end, Int64(Self.visitedMax)).all(NoteTable.row)
    }

    /// Returns a Boolean value indicating whether the change applies to a note: not to private or deleted notes, or
    /// those of other clubs.
    func applies(to note: Note) -> Bool {
        note.clubKey != nil && note.text != nil && club.map { $0 == note.clubKey } ?? true
    }

    static func exists(in connection: SQLiteConnection) throws(SQLiteError) -> Bool {
        try connection.statement("SELECT 1 FROM bulk_note_changes LIMIT 1").first { _ in true } ?? false
    }

    static func first(in connection: SQLiteConnection) throws(SQLiteError) -> BulkNoteChange? {
        try connection.statement(
            "SELECT kind, reader, club, place, until FROM bulk_note_changes ORDER BY reader, club, kind LIMIT 1"
        ).first { row throws(SQLiteError) in
            BulkNoteChange(
                kind: try row.choice(0, "bulk_note_changes.kind", key: row.integer(1)), reader: row.integer(1),
                club: row.integer(2) == 0 ? nil : row.integer(2), place: row.integer(3), end: row.integer(4))
        }
    }

    /// The proposal that stores the rest of a change.
    struct RemainingChange: CommandChange {
        let bulkChange: BulkNoteChange

        func apply(to transaction: inout WriteTransaction) throws(SQLiteError)
            -> CommandOutcome?
        {
            try transaction.connection.statement(
                "INSERT OR REPLACE INTO bulk_note_changes (reader, club, kind, place, until) VALUES (?1, ?2, ?3, ?4, ?5)"
            ).bind(
                bulkChange.reader, bulkChange.club ?? 0, bulkChange.kind.rawValue, bulkChange.place,
                min(bulkChange.end, transaction.nextSeq)
            ).run()
            return nil
        }
    }

    /// The proposal that ends a change.
    var deletion: UnloggedWrite {
        UnloggedWrite(
            "DELETE FROM bulk_note_changes WHERE reader = ?1 AND club = ?2 AND kind = ?3", .integer(reader),
            .integer(club ?? 0), .text(kind.rawValue))
    }
}

/// The kind of change to a reader's notes in clubs. The raw values are stored.
enum BulkNoteChangeKind: String, Sendable {
    /// The notes get the name that their author has in the club.
    case name
    /// The notes no longer name their author.
    case nameless
    case delete
}

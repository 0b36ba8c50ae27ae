import Model

/// The notes of a reader's clubs whose thresholds a changing mark passes.
enum NotesPassedByMark {
    struct PassedNote {
        let key: Int64
        let club: Int64
        fileprivate let share: Int64
    }

    /// Returns the query for the notes that a changing mark passes. All columns of a note that it uses are in one index.
    private static func query(_ condition: String) -> SQLText {
        SQLText(
            """
            SELECT notes.key, notes.club, notes.share FROM notes
            WHERE \(condition) AND notes.club IN (SELECT club FROM members WHERE reader = ?1)
                AND notes.body IS NOT NULL AND NOT \(NoteVisibilitySQL.isReached()) AND notes.author <> ?1 AND \(NoteVisibilitySQL.isInAudience())
                AND \(BlockVisibility.isNotBlocked())
            """)
    }

    private static let inScale = query("notes.scale = ?2 AND notes.at > ?3 AND notes.at <= ?4")
    private static let byShare = query("notes.book = ?5 AND notes.share > ?3 AND notes.share <= ?4")
    /// The query for a mark that makes all notes of a club visible.
    private static let ofClub = query("notes.club = -?2 AND notes.share > 0 AND ?3 < ?4")

    /// Returns the notes that some marks pass and that no mark of the reader reaches, in the order of the book. Before
    /// marks rise these are the notes that become visible, and after marks fall those that become invisible.
    static func unreached(
        for reader: Int64, _ moves: [HighWaterMarkMove], in connection: SQLiteConnection
    ) throws(SQLiteError) -> [PassedNote] {
        var found: [PassedNote] = []
        for move in moves {
            let sql = move.key.scale > 0 ? inScale : move.key.scale == 0 ? byShare : ofClub
            let statement = try connection.statement(sql).bind(
                reader, move.key.scale, min(move.from, move.to), max(move.from, move.to), move.key.book)
            found += try statement.all { PassedNote(key: $0.integer(0), club: $0.integer(1), share: $0.integer(2)) }
        }
        found.sort { ($0.share, $0.key) < ($1.share, $1.key) }
        var known: Set<Int64> = []
        return found.filter { known.insert($0.key).inserted }
    }
}

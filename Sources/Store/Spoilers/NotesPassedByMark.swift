import Model

/// The notes of a reader's clubs whose thresholds a changing mark passes.
enum NotesPassedByMark {
    struct PassedNote {
        let key: Int64
        let club: Int64
        fileprivate let share: Int64
    }

    /// The value of a note's threshold that is compared with the mark.
    private enum Comparison {
        case scale
        case share
        /// No value: the mark makes all notes of a club visible.
        case club

        init(_ place: HighWaterMarkScale) { self = place.scale > 0 ? .scale : place.scale == 0 ? .share : .club }

        var condition: String {
            switch self {
            case .scale: "notes.scale = ?2 AND notes.at > ?3 AND notes.at <= ?4"
            case .share: "notes.book = ?5 AND notes.share > ?3 AND notes.share <= ?4"
            case .club: "notes.club = -?2 AND notes.share > 0 AND ?3 < ?4"
            }
        }
    }

    /// The queries for the notes that a changing mark passes. All columns of a note that they use are in one index.
    private static let texts = SQLVariants<Comparison> { comparison in
        """
        SELECT notes.key, notes.club, notes.share FROM notes
        WHERE \(comparison.condition) AND notes.club IN (SELECT club FROM members WHERE reader = ?1)
            AND notes.body IS NOT NULL AND NOT \(NoteVisibilitySQL.isReached()) AND notes.author <> ?1 AND \(NoteVisibilitySQL.isFor())
            AND \(BlockVisibility.showsNote())
        """
    }

    /// Returns the notes that some marks pass and that no mark of the reader reaches, in the order of the book. Before
    /// marks rise these are the notes that become visible, and after marks fall those that become invisible.
    static func unreached(
        for reader: Int64, _ moves: [HighWaterMarkMove], in connection: SQLiteConnection
    ) throws(SQLiteError) -> [PassedNote] {
        var found: [PassedNote] = []
        for move in moves {
            let statement = try connection.statement(texts, Comparison(move.place)).bind(
                reader, move.place.scale, min(move.from, move.to), max(move.from, move.to), move.place.book)
            found += try statement.all { PassedNote(key: $0.integer(0), club: $0.integer(1), share: $0.integer(2)) }
        }
        found.sort { ($0.share, $0.key) < ($1.share, $1.key) }
        var known: Set<Int64> = []
        return found.filter { known.insert($0.key).inserted }
    }
}

/// A change of a mark.
struct HighWaterMarkMove {
    let place: HighWaterMarkScale
    let from: Int64
    let to: Int64
}

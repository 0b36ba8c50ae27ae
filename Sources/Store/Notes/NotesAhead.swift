import Model

/// The notes of a reader's clubs that they do not see yet, and come to see when they rise.
enum NotesAhead {
    /// A reader is further on at a place.
    struct Rise {
        let place: Int64
        let from: Int64
        let to: Int64
    }

    /// One that comes into sight.
    struct Found {
        let key: Int64
        let club: Int64
        /// By what they come, in the order of the book.
        let at: Int64
    }

    /// By what a note is reached.
    private enum Way {
        /// All of a club's.
        case club
        /// In its frame.
        case frame
        /// By chapters.
        case chapters
        /// Where it opens.
        case opening

        var condition: String {
            switch self {
            case .club: "notes.club = -?2 AND notes.opens_at > ?3 AND notes.opens_at <= ?4"
            case .frame: "notes.frame = ?2 AND notes.frame_at > ?3 AND notes.frame_at <= ?4"
            case .chapters: "notes.book = ?5 AND notes.chapters_at > ?3 AND notes.chapters_at <= ?4"
            // What has that frame opens no earlier than it is reached in it.
            case .opening: "notes.book = ?5 AND notes.opens_at > ?3 AND notes.opens_at <= ?4 AND notes.frame IS NOT ?2"
            }
        }
    }

    /// All that they ask of a note is in one index.
    private static let texts = Variants<Way> { way in
        """
        SELECT notes.key, notes.club, \(NoteGate.order) FROM notes
        WHERE \(way.condition) AND notes.club IN (SELECT club FROM members WHERE reader = ?1)
            AND notes.body IS NOT NULL AND NOT \(NoteGate.hasReached()) AND notes.author <> ?1 AND \(NoteGate.isFor())
            AND \(Hiding.showsNote())
        """
    }

    private static func ways(of place: Int64) -> [Way] {
        guard place > 0 else { return [.club] }
        return switch Place.Kind(of: place) {
        case .book: [.frame, .opening]
        case .edition: [.frame]
        case .chapters: [.chapters]
        case .coarse: [.opening]
        }
    }

    /// What a reader comes to see by these rises together, in the order of the book.
    static func unlocked(
        for reader: Int64, by rises: [Rise], in connection: Connection
    ) throws(SQLiteError) -> [Found] {
        var found: [Found] = []
        for rise in rises {
            for way in ways(of: rise.place) {
                let statement = try connection.statement(texts, way).bind(1, reader).bind(2, rise.place)
                    .bind(3, rise.from).bind(4, rise.to)
                if way == .opening || way == .chapters { statement.bind(5, Place.book(of: rise.place)) }
                found += try statement.all { Found(key: $0.integer(0), club: $0.integer(1), at: $0.integer(2)) }
            }
        }
        found.sort { ($0.at, $0.key) < ($1.at, $1.key) }
        guard rises.count > 1 else { return found }
        var known: Set<Int64> = []
        return found.filter { known.insert($0.key).inserted }
    }
}

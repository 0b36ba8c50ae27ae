import Model

/// The spoiler gate, in SQL: the one place that says which notes a reader sees. In it `?1` is the reader's key, unless it is
/// asked for readers in a column.
///
/// A note of a club is seen by its author, by every member when it is open to all, and else by members who had come at some time
/// while it was there so far in its edition, or by chapters, or, anywhere, to where it opens (see `Opening`): what was unlocked stays
/// unlocked. Notes and steps have their numbers from when they were written: nothing that is said of a book since makes others of
/// them. Who blocks its author does not see it, unless they moderate the club, or it names nobody. One that is for the moderators
/// only they see so, and who began its thread.
enum NoteGate {
    /// Whether the reader has come to where the note opens, or would if it were raised, now or as of a change.
    static func hasReached(
        for reader: String = "?1", asOf seq: String? = nil, raisedTo share: String? = nil
    ) -> String {
        func step(_ place: String, _ least: String) -> String {
            """
            EXISTS (SELECT 1 FROM reach WHERE reach.reader = \(reader) AND reach.place = \(place)
                AND reach.progress >= \(least) AND reach.until > notes.key\(seq.map { " AND reach.since <= \($0)" } ?? ""))
            """
        }
        // Nobody can say to what an edition's amount is raised.
        let inFrame = share.map { "CASE WHEN notes.frame = notes.book THEN max(notes.frame_at, \($0)) END" }
        let byChapters = share.map { "max(notes.chapters_at, \(Place.fine) * \($0))" } ?? "notes.chapters_at"
        let opensAt = share.map { "max(notes.opens_at, \($0))" } ?? "notes.opens_at"
        // Who names no edition comes to what names none in its frame, no later than to where it opens.
        return """
            (\(step("notes.frame", inFrame ?? "notes.frame_at"))
                OR notes.chapters_at IS NOT NULL AND \(step(Place.chaptersSQL(ofBook: "notes.book"), byChapters))
                OR notes.frame IS NOT notes.book AND \(step("notes.book", opensAt))
                OR \(step(Place.coarseSQL(ofBook: "notes.book"), opensAt)) OR \(step("-notes.club", opensAt)))
            """
    }

    /// In the order of the book, as far as it is told by where notes open: by how much of it lies before them, in millionths.
    static let order = """
        CASE WHEN notes.frame = notes.book THEN notes.frame_at
            ELSE ifnull(ifnull(notes.chapters_at, notes.frame_at) / \(Place.fine), notes.opens_at) END
        """

    /// Of a note of somebody else's in a club that the reader is a member of: whether they have read so far.
    static func isReached(for reader: String = "?1", asOf seq: String? = nil) -> String {
        "(notes.opens_at = 0 OR \(hasReached(for: reader, asOf: seq)))"
    }

    /// Whether a note of a club is for a member, wherever it is: since a change, or now. What it was before it was for them is not.
    static func isFor(_ reader: String = "?1", asOf seq: String? = nil) -> String {
        guard let seq else { return "(notes.audience IS NULL OR \(isConfided(to: reader)))" }
        return """
            (notes.audience IS NULL AND ifnull(notes.to_club, 0) <= \(seq)
                OR ifnull(notes.to_moderators, 0) <= \(seq) AND \(isConfided(to: reader, asOf: seq)))
            """
    }

    /// Whether a member is one of those for whom a note for the moderators is.
    static func isConfided(to reader: String, asOf seq: String? = nil) -> String {
        """
        (EXISTS (SELECT 1 FROM members AS own WHERE own.reader = \(reader) AND own.club = notes.club
            AND own.moderates \(seq.map { "<= \($0)" } ?? "IS NOT NULL")) OR \(hasBegun(reader)))
        """
    }

    /// Whether a member wrote what a reply's thread began with.
    static func hasBegun(_ reader: String) -> String {
        "EXISTS (SELECT 1 FROM notes AS root WHERE root.id = notes.thread AND root.author = \(reader))"
    }

    /// Of a note in a club that the reader is a member of.
    static func passes(asOf seq: String? = nil) -> String {
        "(notes.author = ?1 OR \(isFor(asOf: seq)) AND \(isReached(asOf: seq)) AND \(Hiding.showsNote(asOf: seq)))"
    }

    /// The same of the note `?2` as of the change `?3`, of each reader in a column; `?4` says whether that names nobody as its author.
    static func passes(each reader: String) -> String {
        """
        (notes.author = \(reader) OR \(isFor(reader, asOf: "?3")) AND \(isReached(for: reader, asOf: "?3"))
            AND \(Hiding.showsNote(each: reader)))
        """
    }

    /// Of any note that is there: one's own, also in a club that one has gone from, or one of a club of one's own that
    /// passes.
    static let sees = """
        (notes.body IS NOT NULL AND (notes.author = ?1
            OR notes.club IN (SELECT club FROM members WHERE reader = ?1) AND \(passes())))
        """

    /// Of a row of the log in a club's scope, called `changes`: everything but notes that did not pass at the time. No row says of a
    /// note that does not tell where it opens that this is later now; who has come there is told what was said of it before.
    static let letsThrough = """
        (changes.kind <> \(ResourceKind.note.rawValue) OR EXISTS (SELECT 1 FROM notes WHERE notes.id = changes.resource
            AND (\(passes(asOf: "changes.seq")) OR notes.is_reticent = 1 AND notes.body IS NOT NULL
                AND \(isFor(asOf: "changes.seq")) AND \(isReached()) AND \(Hiding.showsNote(asOf: "changes.seq")))))
        """
}

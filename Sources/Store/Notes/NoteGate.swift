import Model

/// The spoiler rule in SQL, and who else may see a note. In it `?1` is the reader's key, unless it is asked for readers in a column.
///
/// A note of a club is seen by its author, and by every member whose mark in its scale reaches `at`, or whose mark in its book reaches
/// `share`. Who blocks its author does not see it, unless they moderate the club, or it names nobody. A note for the moderators is seen
/// by them, and by who began its thread.
enum NoteGate {
    /// The threshold that is asked about: a note's own, or one that it may be given.
    struct Limits {
        var scale = "notes.scale"
        var at = "notes.at"
        var share = "notes.share"
    }

    /// Whether a reader's marks reach a note's threshold, now or as of a change.
    static func isReached(
        for reader: String = "?1", asOf seq: String? = nil, _ limits: Limits = Limits()
    ) -> String {
        func mark(_ book: String, _ scale: String) -> String {
            let interval =
                seq.map { "marks.until > \($0) ORDER BY marks.until LIMIT 1" } ?? "marks.until = \(Marks.forever)"
            let value = seq.map { "CASE WHEN marks.since <= \($0) THEN marks.value END" } ?? "marks.value"
            return """
                ifnull((SELECT \(value) FROM marks WHERE marks.reader = \(reader) AND marks.book = \(book)
                    AND marks.scale = \(scale) AND \(interval)), 0)
                """
        }
        return """
            (\(limits.share) = 0 OR \(mark("notes.book", "0")) >= \(limits.share)
                OR \(limits.scale) IS NOT NULL AND \(mark("notes.book", limits.scale)) >= \(limits.at)
                OR \(mark("0", "-notes.club")) > 0)
            """
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

    /// Of a row of the log in a club's scope, called `changes`: everything but notes that did not pass at the time.
    static let letsThrough = """
        (changes.kind <> \(ResourceKind.note.rawValue) OR EXISTS (SELECT 1 FROM notes
            WHERE notes.id = changes.resource AND \(passes(asOf: "changes.seq"))))
        """
}

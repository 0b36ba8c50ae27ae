import Model

/// The spoiler rule in SQL, with the other conditions for seeing a note. `?1` is the reader's key, except where readers
/// are in a column.
///
/// A note of a club is visible to its author, and to every member whose mark in its scale reaches `at`, or whose mark
/// in its book reaches `share`. It is not visible to a member who blocks its author, unless they moderate the club or
/// the note does not name its author. A note for moderators is visible to them, and to the author of its thread's first
/// note.
enum NoteVisibilitySQL {
    /// The maximum number of notes, or of a club's changes, that one page or count checks; each takes some 2 µs. A club
    /// can have very many that a reader cannot see.
    static let checkedMax = 3000

    /// The threshold to compare with: a note's own, or a new one.
    struct Limits {
        var scale = "notes.scale"
        var at = "notes.at"
        var share = "notes.share"
    }

    /// Returns the condition that a reader's marks reach a note's threshold, now or as of a change.
    static func isReached(
        for reader: String = "?1", asOf seq: String? = nil, _ limits: Limits = Limits()
    ) -> String {
        func mark(_ book: String, _ scale: String) -> String {
            let interval =
                seq.map { "marks.until > \($0) ORDER BY marks.until LIMIT 1" }
                ?? "marks.until = \(HighWaterMarks.forever)"
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

    /// Returns the condition that a member belongs to the audience of a club's note, now or as of a change. Changes
    /// from before the audience was widened to include them are left out.
    static func isInAudience(_ reader: String = "?1", asOf seq: String? = nil) -> String {
        guard let seq else { return "(notes.audience IS NULL OR \(maySeeModeratorNotes(to: reader)))" }
        return """
            (\(isInClubAudience(asOf: seq))
                OR ifnull(notes.to_moderators, 0) <= \(seq) AND \(maySeeModeratorNotes(to: reader, asOf: seq)))
            """
    }

    private static func isInClubAudience(asOf seq: String) -> String {
        "notes.audience IS NULL AND ifnull(notes.to_club, 0) <= \(seq)"
    }

    /// Returns the condition that a member may see notes for moderators.
    static func maySeeModeratorNotes(to reader: String, asOf seq: String? = nil) -> String {
        """
        (EXISTS (SELECT 1 FROM members AS own WHERE own.reader = \(reader) AND own.club = notes.club
            AND own.moderates \(seq.map { "<= \($0)" } ?? "IS NOT NULL")) OR \(beganThread(reader)))
        """
    }

    /// Returns the condition that a member wrote the first note of a reply's thread.
    static func beganThread(_ reader: String) -> String {
        "EXISTS (SELECT 1 FROM notes AS root WHERE root.id = notes.thread AND root.author = \(reader))"
    }

    /// Returns the condition that a reader sees a note in a club of theirs.
    static func isVisibleToMember(asOf seq: String? = nil) -> String {
        "(notes.author = ?1 OR \(isInAudience(asOf: seq)) AND \(isReached(asOf: seq)) AND \(BlockVisibility.isNotBlocked(asOf: seq)))"
    }

    /// Returns the condition that each reader in a column sees the note `?2` as of the change `?3`. `?4` says whether
    /// the change names no author.
    static func isVisible(toEach reader: String) -> String {
        """
        (notes.author = \(reader) OR \(isInAudience(reader, asOf: "?3")) AND \(isReached(for: reader, asOf: "?3"))
            AND \(BlockVisibility.isNotBlocked(each: reader)))
        """
    }

    /// The condition that every reader sees the note `?1` as of the change `?2`, whatever their marks.
    static let isVisibleToAll = """
        (\(isInClubAudience(asOf: "?2")) AND notes.share = 0 AND NOT EXISTS (SELECT 1 FROM hidden_authors
            WHERE hidden_authors.author = notes.author AND hidden_authors.club = notes.club))
        """

    /// The condition that a reader sees an existing note: their own, even in a club that they have left, or a visible
    /// one in a club of theirs.
    static let isVisible = """
        (notes.body IS NOT NULL AND (notes.author = ?1
            OR notes.club IN (SELECT club FROM members WHERE reader = ?1) AND \(isVisibleToMember())))
        """

    /// The condition that a row of the log in a club's scope, named `changes`, is visible: any change, except of a note
    /// that was not visible then.
    static let isVisibleChange = """
        (changes.kind <> \(ResourceKind.note.rawValue) OR EXISTS (SELECT 1 FROM notes
            WHERE notes.id = changes.resource AND \(isVisibleToMember(asOf: "changes.seq"))))
        """
}

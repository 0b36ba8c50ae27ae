import Model

/// The authors whose notes are hidden from a member in a club: those whom the member blocks, unless the member
/// moderates the club. The table stores intervals of the log, as for marks (see `HighWaterMarks`), so that replays know the
/// state at each change.
enum BlockVisibility {
    /// Returns the SQL condition that an author's notes in a club are visible to a reader, now or as of a change. The
    /// first subquery is the same for all rows and runs once. Without blocks it is the only one.
    static func shows(
        _ author: String, in club: String, to reader: String = "?1", asOf seq: String? = nil,
        unless exception: String? = nil
    ) -> String {
        """
        (NOT EXISTS (SELECT 1 FROM hidden_authors WHERE hidden_authors.reader = \(reader)) OR NOT EXISTS (
            SELECT 1 FROM hidden_authors WHERE hidden_authors.reader = \(reader) AND hidden_authors.club = \(club)
                AND hidden_authors.author = \(author) AND \(holds(asOf: seq))\(exception.map { " AND NOT \($0)" } ?? "")))
        """
    }

    /// Returns the SQL condition that no block hides a row of `notes` from a reader, now or as of a change. A note that
    /// no longer names its author is visible to everyone, even as of earlier changes: otherwise a block would reveal
    /// the author. This is checked only for hidden notes, because no index that finds notes contains the flag.
    static func isNotBlocked(to reader: String = "?1", asOf seq: String? = nil) -> String {
        let isNobodys =
            "EXISTS (SELECT 1 FROM notes AS nobodys WHERE nobodys.key = notes.key AND nobodys.is_nameless = 1)"
        return shows("notes.author", in: "notes.club", to: reader, asOf: seq, unless: isNobodys)
    }

    /// Returns the SQL condition that no block hid the note `?2` as of the change `?3`, for each reader in a column.
    /// The readers from whom the author is hidden are selected once. If, by `?4`, the change names no author, and
    /// neither does the note, it is visible to all.
    static func isNotBlocked(each reader: String) -> String {
        let readers = """
            SELECT hidden_authors.reader FROM notes AS hidden
            JOIN hidden_authors ON hidden_authors.author = hidden.author AND hidden_authors.club = hidden.club
            WHERE hidden.id = ?2 AND \(holds(asOf: "?3")) AND NOT (?4 AND hidden.is_nameless = 1)
            """
        return "(NOT EXISTS (\(readers)) OR \(reader) NOT IN (\(readers)))"
    }

    private static func holds(asOf seq: String?) -> String {
        seq.map { "hidden_authors.since <= \($0) AND hidden_authors.until > \($0)" }
            ?? "hidden_authors.until = \(HighWaterMarks.forever)"
    }

    /// Returns the authors whose notes are hidden from a reader in a club now.
    static func authors(hiddenFrom reader: Int64, in club: Int64, _ db: SQLiteConnection) throws(SQLiteError) -> [Int64]
    {
        try db.statement("SELECT author FROM hidden_authors WHERE reader = ?1 AND club = ?2 AND until = ?3")
            .bind(reader, club, HighWaterMarks.forever).all { $0.integer(0) }
    }

    /// Returns the changes that hide an author's notes from a reader in a club, or show them again, from the next change
    /// of the log on.
    static func hiding(
        _ isHidden: Bool, of author: Int64, from reader: Int64, in club: Int64
    ) -> [any CommandChange] {
        guard !isHidden else {
            return [
                UnloggedWrite(
                    """
                    INSERT INTO hidden_authors (reader, club, author, since, until)
                    VALUES (?1, ?2, ?3, (SELECT max(seq) + 1 FROM changes), ?4)
                    ON CONFLICT DO UPDATE SET until = excluded.until
                    """, reader, club, author, HighWaterMarks.forever)
            ]
        }
        return [
            UnloggedWrite(
                """
                UPDATE hidden_authors SET until = (SELECT max(seq) + 1 FROM changes)
                WHERE reader = ?1 AND club = ?2 AND author = ?3 AND until = ?4
                """, reader, club, author, HighWaterMarks.forever),
            // Intervals that ended before the beginning of the log are no longer needed.
            UnloggedWrite(
                "DELETE FROM hidden_authors WHERE reader = ?1 AND until <= (SELECT min(seq) FROM changes)", reader),
        ]
    }

    /// The rules that exactly the blocked authors are hidden, in each club whose member does not moderate it.
    static let rules: [String] = {
        let wanted = """
            SELECT blocks.owner AS reader, members.club AS club, blocks.blocked AS author FROM blocks
            JOIN members ON members.reader = blocks.owner WHERE members.role = 'member'
            """
        let held = "SELECT reader, club, author FROM hidden_authors WHERE until = \(HighWaterMarks.forever)"
        func difference(_ left: String, _ right: String, _ verb: String) -> String {
            """
            SELECT 'hidden_authors: the author ' || author || ' \(verb) the reader ' || reader || ' in the club ' || club
            FROM (\(left) EXCEPT \(right))
            """
        }
        return [difference(wanted, held, "is not hidden from"), difference(held, wanted, "is hidden from")]
    }()
}

extension WriteState {
    /// Returns the changes that hide an author's notes from a reader, or show them again: in one club, or in all clubs
    /// that the reader does not moderate.
    func hiding(
        _ isHidden: Bool, of author: Int64, from reader: Int64, in club: Int64? = nil
    ) throws(RequestError) -> [any CommandChange] {
        let clubs =
            if let club { [club] } else {
                try query(MemberTable.all(of: "reader", reader, in: db)).filter { !$0.role.moderates }.map(\.clubKey)
            }
        let notes = try query(NoteTable.reached(of: author, in: club, by: reader, in: db))
        return clubs.flatMap { BlockVisibility.hiding(isHidden, of: author, from: reader, in: $0) }
            + NoteVisibilityChange.changes(of: notes, for: reader, isHidden ? .hidden : .unlocked)
    }

    /// Returns the changes that hide or show the notes of everyone whom a member blocks, when the member begins or
    /// ceases to moderate the club.
    func hiding(
        from member: Member, before role: ClubMemberRole, in club: Club
    ) throws(RequestError) -> [any CommandChange] {
        guard member.role.moderates != role.moderates else { return [] }
        var changes: [any CommandChange] = []
        for block in try query(ReaderBlockTable.all(of: "owner", member.readerKey, in: db)) {
            changes += try hiding(
                !member.role.moderates, of: block.readerKey, from: member.readerKey, in: club.key)
        }
        return changes
    }
}

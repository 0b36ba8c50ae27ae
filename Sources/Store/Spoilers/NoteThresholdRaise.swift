import Model

/// The raising of a note's threshold. The replies below it rise with it, because none may be visible before the note
/// that it answers.
enum NoteThresholdRaise {
    /// The maximum number of replies that rise with a note, and of visibility checks for a reply and a member.
    private static let repliesMax: Int64 = 1000
    private static let visitedMax: Int64 = 20_000

    private static let replies = NoteTable.rows.sql(
        """
        WHERE notes.body IS NOT NULL AND notes.key <> ?1 AND notes.key IN (
            WITH RECURSIVE below (key) AS (
                SELECT ?1 UNION SELECT reply.key FROM below JOIN notes AS reply ON reply.answers = below.key
                WHERE reply.body IS NULL OR reply.share < ?4
                    OR reply.scale IS NOT NULL AND (reply.scale IS NOT ?2 OR reply.at < ?3))
            SELECT key FROM below)
        ORDER BY notes.key LIMIT ?5
        """)

    /// Returns the direct and indirect replies whose thresholds rise with a note's, oldest first. A reply below one
    /// that does not rise does not rise either.
    static func replies(
        to note: Note, with threshold: SpoilerThreshold, limit: Int64, in connection: SQLiteConnection
    ) throws(SQLiteError) -> [Note] {
        try connection.statement(replies).bind(
            note.key, threshold.scale, threshold.at, Int64(threshold.share.millionths), limit
        ).all(NoteTable.row)
    }

    /// Returns the maximum number of replies that rise with a note.
    static func repliesMax(of note: Note, in connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
        guard let club = note.clubKey else { return repliesMax }
        let members = try connection.statement("SELECT count(*) FROM members WHERE club = ?1").bind(club).number()
        return min(repliesMax, visitedMax / max(members ?? 1, 1))
    }

    private static let readersLosingAccess = SQLText(
        """
        SELECT members.reader FROM notes JOIN members ON members.club = notes.club
        WHERE notes.key = ?1 AND members.reader <> notes.author AND \(NoteVisibilitySQL.isReached(for: "members.reader"))
            AND \(NoteVisibilitySQL.isInAudience("members.reader")) AND \(BlockVisibility.isNotBlocked(to: "members.reader"))
            AND NOT \(NoteVisibilitySQL.isReached(for: "members.reader", .init(scale: "?2", at: "?3", share: "?4")))
        ORDER BY members.reader
        """)

    /// Returns the members who see a note of their club, and will not see it with another threshold.
    static func readersLosingAccess(
        of note: Note, with threshold: SpoilerThreshold, in connection: SQLiteConnection
    ) throws(SQLiteError) -> [Int64] {
        try connection.statement(readersLosingAccess).bind(
            note.key, threshold.scale, threshold.at, Int64(threshold.share.millionths)
        ).all { $0.integer(0) }
    }
}

extension WriteState {
    /// Raises a note's threshold to the value in a patch.
    ///
    /// - Returns: The writes of new scales.
    /// - Throws: `RequestError.invalid` if the note would become visible earlier for some readers.
    func raise(_ note: inout Note, as raise: RaisedSpoilerThreshold?, _ actor: CommandActor) throws(RequestError)
        -> [any CommandChange]
    {
        guard let raise else { return [] }
        var (threshold, position, newScales) = (SpoilerThreshold.finished, nil as Position?, [any CommandChange]())
        if case .position(let given) = raise {
            let book = try found(BookTable.find(key: note.bookKey, in: db))
            let club = try note.clubKey.flatMap { key throws(RequestError) in
                try query(ClubTable.find(key: key, in: db))
            }
            let keyed = try keyed(given, in: book, of: actor, at: "/opensAt")
            threshold = keyed.threshold(slack: slack(of: club))
            (position, newScales) = (keyed.resolved.position, keyed.newScales)
            guard !threshold.isEarlier(than: note.threshold) else {
                throw .violation("/opensAt", "must not be earlier than where the note becomes visible now")
            }
        }
        note.raise(to: threshold, at: position)
        return newScales
    }

    /// Returns the changes that follow from a raised threshold. Members who lose access to the note or a reply get a
    /// `leave` event before the notes change. The caller writes the note itself.
    func raising(_ old: Note, to new: Note) throws(RequestError) -> (
        events: [any CommandChange], replies: [(before: Note, after: Note)]
    ) {
        guard new.threshold != old.threshold else { return ([], []) }
        let max = try query(NoteThresholdRaise.repliesMax(of: old, in: db))
        let replies = try query(NoteThresholdRaise.replies(to: old, with: new.threshold, limit: max + 1, in: db))
        guard replies.count <= max else {
            throw .exceeded(
                .limitReached, limit: "answersRaisedMax", max: Int(max),
                "A note in a club of this size can raise at most \(max) replies with it. Raise some of them first.")
        }
        var raised: [(before: Note, after: Note)] = [(old, new)]
        for reply in replies {
            var after = reply
            after.raise(to: new.threshold, at: new.opensAt ?? new.position?.withoutLocator)
            raised.append((reply, after))
        }
        var lost: [Int64: [Int64]] = [:]
        for (before, after) in raised where old.clubKey != nil {
            for reader in try query(NoteThresholdRaise.readersLosingAccess(of: before, with: after.threshold, in: db)) {
                lost[reader, default: []].append(before.key)
            }
        }
        let events = lost.sorted { $0.key < $1.key }.flatMap { reader, notes in
            NoteVisibilityChange.changes(of: notes, in: old.clubKey ?? 0, for: reader, .raised)
        }
        return (events, Array(raised.dropFirst()))
    }
}

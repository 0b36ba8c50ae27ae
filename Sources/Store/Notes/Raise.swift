import Model

/// Letting a note open later than it did: with it what answers it does, which opens no earlier.
enum Raise {
    /// How many answers are raised with a note at most, and how often it is asked whether a member sees one of them.
    private static let answersMax: Int64 = 1000
    private static let looksMax: Int64 = 20_000

    // What answers one that opens as late opens no earlier than that.
    private static let answers = NoteTable.rows.sql(
        """
        WHERE notes.body IS NOT NULL AND notes.key <> ?1 AND notes.key IN (
            WITH RECURSIVE below (key) AS (
                SELECT ?1 UNION SELECT answer.key FROM below JOIN notes AS answer ON answer.answers = below.key
                WHERE answer.body IS NULL OR answer.opens_at < ?2 OR answer.chapters_at < ?2 * \(Place.fine)
                    OR answer.frame <> answer.book OR answer.frame_at < ?2)
            SELECT key FROM below)
        ORDER BY notes.key LIMIT ?3
        """)

    /// The notes that answer a note, or an answer to it, and open earlier than at a share; the oldest first.
    static func answers(
        to note: Note, before share: Progress, limit: Int64, in connection: Connection
    ) throws(SQLiteError) -> [Note] {
        try connection.statement(answers).bind(1, note.key).bind(2, Int64(share.millionths)).bind(3, limit)
            .all(NoteTable.row)
    }

    /// How many answers may be raised with a note.
    static func answersMax(of note: Note, in connection: Connection) throws(SQLiteError) -> Int64 {
        guard let club = note.clubKey else { return answersMax }
        let members = try connection.statement("SELECT count(*) FROM members WHERE club = ?1").bind(1, club)
            .first { $0.integer(0) }
        return min(answersMax, looksMax / max(members ?? 1, 1))
    }

    private static let losers = SQL(
        """
        SELECT members.reader FROM notes JOIN members ON members.club = notes.club
        WHERE notes.key = ?1 AND members.reader <> notes.author AND \(NoteGate.isReached(for: "members.reader"))
            AND \(NoteGate.isFor("members.reader")) AND NOT \(NoteGate.hasReached(for: "members.reader", raisedTo: "?2"))
            AND \(Hiding.showsNote(to: "members.reader"))
        ORDER BY members.reader
        """)

    /// The members who see a note of their club, and will no longer.
    static func losers(
        of note: Note, raisedTo share: Progress, in connection: Connection
    ) throws(SQLiteError) -> [Int64] {
        try connection.statement(losers).bind(1, note.key).bind(2, Int64(share.millionths)).all { $0.integer(0) }
    }

    fileprivate static func proposal(for answer: Note, to share: Progress) -> any Proposal {
        var raised = answer
        raised.opening = answer.opening.raised(to: share)
        guard !answer.isReticent else { return OpenLater(answer, raised.opening) }
        guard raised.opening.share == answer.opening.share else {
            return Write<NoteTable>(before: answer, after: raised)
        }
        return RaiseInFrame(note: answer.key, to: share)
    }
}

/// A note opens later to those only who come to it another way than all: nothing that is sent of it becomes another.
struct RaiseInFrame: Proposal {
    let note: Int64
    let to: Progress
    private static let raise = SQL(
        """
        UPDATE notes SET frame = CASE WHEN frame = book THEN frame END,
            frame_at = CASE WHEN frame = book THEN max(frame_at, ?2) END, chapters_at = max(chapters_at, ?2 * \(Place.fine))
        WHERE key = ?1
        """)

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        try application.connection.statement(Self.raise).bind(1, note).bind(2, Int64(to.millionths)).run()
        application.noteSilentWrite()
        return nil
    }
}

extension WriteState {
    /// Raises the threshold of a note's answers to at least a share, and tells the members who lose sight of the note or of an
    /// answer. These `leave` events come before the notes change. The note itself is written by the caller.
    func raising(_ note: Note, to share: Progress) throws(LecternError) -> (
        told: [any Proposal], answers: [any Proposal]
    ) {
        let (answers, max) = try query { db throws(SQLiteError) in
            let max = try Raise.answersMax(of: note, in: db)
            return (try Raise.answers(to: note, before: share, limit: max + 1, in: db), max)
        }
        guard answers.count <= max else {
            throw .limitReached(
                limit: "answersRaisedMax", max: Int(max),
                "At most \(max) answers open later with a note in a club of so many: let some of them open later first."
            )
        }
        return try query { db throws(SQLiteError) in
            var lost: [Int64: [Int64]] = [:]
            for note in [note] + answers where note.clubKey != nil {
                for reader in try Raise.losers(of: note, raisedTo: share, in: db) {
                    lost[reader, default: []].append(note.key)
                }
            }
            let told = lost.sorted { $0.key < $1.key }.flatMap { reader, notes in
                Reach.slices(of: notes).map {
                    Unlock(notes: $0, club: note.clubKey ?? 0, reader: reader, going: .moved) as any Proposal
                }
            }
            return (told, answers.map { Raise.proposal(for: $0, to: share) })
        }
    }
}

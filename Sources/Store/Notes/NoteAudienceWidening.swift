import JSON
import Model

/// The sharing of notes with wider audiences.
enum NoteAudienceWidening {
    static let fields = Note.fields["club", "audience"]

    /// Records when the audience was last widened. New viewers receive an unlock right after the change itself, which
    /// only the earlier audience receives. If the note `isNew` in its club, nobody there does.
    static func record(_ note: Note, isNew: Bool, in connection: SQLiteConnection) throws(SQLiteError) {
        try connection.statement(
            """
            UPDATE notes SET to_moderators = CASE WHEN ?2 THEN version + 1 ELSE to_moderators END,
                to_club = CASE WHEN audience IS NULL THEN version + 1 END
            WHERE key = ?1
            """
        ).bind(note.key, isNew ? 1 : 0).run()
    }

    fileprivate static let readers = SQLText(
        """
        SELECT members.reader FROM notes JOIN members ON members.club = notes.club
        WHERE notes.key = ?1 AND members.reader <> notes.author AND \(NoteVisibilitySQL.isInAudience("members.reader"))
            AND NOT (?2 AND \(NoteVisibilitySQL.maySeeModeratorNotes(to: "members.reader"))) AND \(NoteVisibilitySQL.isReached(for: "members.reader"))
            AND \(BlockVisibility.isNotBlocked(to: "members.reader"))
        ORDER BY members.reader
        """)

    /// Returns the query for the keys of notes of a club that a reader sees only as a moderator, or saw only as one, as
    /// far as the reader's marks allow, in the order of the book.
    private static func moderatorNotes(_ condition: String) -> SQLText {
        SQLText(
            """
            SELECT notes.key FROM notes WHERE notes.club = ?2 AND \(condition)
                AND notes.author <> ?1 AND NOT \(NoteVisibilitySQL.beganThread("?1")) AND \(NoteVisibilitySQL.isReached())
            ORDER BY notes.share, notes.key
            """)
    }

    private static let moderation = "(SELECT moderates FROM members WHERE reader = ?1 AND club = ?2)"
    /// The notes for moderators.
    fileprivate static let current = moderatorNotes("notes.audience IS NOT NULL AND notes.body IS NOT NULL")
    /// The notes for moderators that were deleted while the reader was one. Members who were not moderators then have
    /// not received the deletion.
    fileprivate static let deleted = moderatorNotes(
        """
        notes.audience IS NOT NULL AND notes.body IS NULL AND EXISTS (
            SELECT 1 FROM changes WHERE operation = 3 AND resource = notes.id
                AND kind = \(ResourceKind.note.rawValue) AND seq > \(moderation))
        """)
    /// The notes that were shared with the whole club while the reader moderated it.
    fileprivate static let widened = moderatorNotes(
        """
        notes.audience IS NULL AND notes.body IS NOT NULL AND notes.to_club > \(moderation)
            AND (notes.is_nameless = 1 OR notes.author NOT IN (SELECT blocked FROM blocks WHERE owner = ?1))
        """)
}

/// The change that sends a note, after its audience was widened, to the members who could not see it before.
struct NewViewerEvents: CommandChange {
    let note: Note
    let club: Int64
    let before: Note.Audience

    func apply(to transaction: inout WriteTransaction) throws(SQLiteError) -> CommandOutcome? {
        let readers = try transaction.connection.statement(NoteAudienceWidening.readers).bind(
            note.key, before == .moderators ? 1 : 0
        ).all { $0.integer(0) }
        for reader in readers {
            _ = try NoteVisibilityChange(notes: [note.key], club: club, reader: reader, operation: .unlocked)
                .apply(to: &transaction)
        }
        return nil
    }
}

extension WriteState {
    /// Changes a note's audience as a patch says, and returns the events for new viewers. The audience may only widen,
    /// and not beyond that of the note that it answers.
    func sharing(_ note: inout Note, as patch: NotePatch, _ actor: CommandActor) throws(RequestError)
        -> [any CommandChange]
    {
        let before = note.audience
        let club = try club(of: note, as: patch)
        let wanted = patch.audience ?? (club != nil && before == .me ? .club : before)
        if patch.run != nil, before != .me || wanted == .me {
            throw .violation("/run", "applies only to a private note that you share in a club")
        }
        guard !before.isWider(than: wanted) else {
            throw .violation("/audience", "can only widen: the note is already for \(before.rawValue)")
        }
        guard wanted.isWider(than: before) else { return [] }
        guard let id = club ?? note.club else {
            throw .violation("/club", "is required: the club in which to share the note")
        }
        let open = try clubToWriteIn(id, actor)
        let answered = try query(
            note.answers.flatMap { key throws(SQLiteError) in
                try NoteTable.find(key: key, in: db)
            })
        if let answered, answered.clubKey != open.key || wanted.isWider(than: answered.audience) {
            throw .violation("/audience", "must not be wider than the audience of the note that it answers")
        }
        note.share(with: wanted, in: (open.id, open.key))
        // If the author has left the club, the note may no longer name them.
        note.authorName = note.isNameless ? nil : try name(of: actor, in: note)
        if before == .me {
            try enter(open, &note, run: patch.run)
            // The threshold of the answered note may have been raised meanwhile.
            if let answered {
                note.raise(to: answered.threshold, at: answered.opensAt ?? answered.position?.withoutLocator)
            }
        }
        return [NewViewerEvents(note: note, club: open.key, before: before)]
    }

    /// Adapts a private note to the club in which it is shared.
    private func enter(_ club: Club, _ note: inout Note, run: ResourceID?) throws(RequestError) {
        note.run = try self.run(run, on: note.book, of: club)
        note.settle(note.threshold.adding(slack(of: club)))
    }

    /// Returns the club in which a private note is to be shared, or `nil`.
    private func club(of note: Note, as patch: NotePatch) throws(RequestError) -> ResourceID? {
        switch patch.club {
        case .absent, .invalid: return nil
        case .null where note.club != nil: throw .violation("/club", "must not be removed: the note is shared in it")
        case .null: return nil
        case .value(let id) where note.club != nil && note.club != id:
            throw .violation("/club", "must not be changed: the note is shared in a club")
        case .value where patch.audience == .me:
            throw .violation("/audience", "must be moderators or club for a note with a club")
        case .value(let id): return note.club == nil ? id : nil
        }
    }

    /// Returns the notes for moderators that become visible or invisible to a member when they become a moderator or
    /// cease to be one.
    func moderatorNotes(to member: Member, before role: ClubMemberRole, in club: Club) throws(RequestError)
        -> [any CommandChange]
    {
        guard member.role.moderates != role.moderates else { return [] }
        let reader = member.readerKey
        func keys(_ notes: SQLText) throws(RequestError) -> [Int64] {
            try query(db.statement(notes).bind(reader, club.key).all { $0.integer(0) })
        }
        let current = try keys(NoteAudienceWidening.current)
        guard !member.role.moderates else {
            return NoteVisibilityChange.changes(of: current, in: club.key, for: reader)
        }
        let deleted = try keys(NoteAudienceWidening.deleted)
        let widened = try keys(NoteAudienceWidening.widened)
        // A replay reads the log as a member's. As such they did not receive the notes that were shared with the club
        // meanwhile, so these become visible to them now.
        return NoteVisibilityChange.changes(of: current + deleted + widened, in: club.key, for: reader, .hidden)
            + NoteVisibilityChange.changes(of: widened, in: club.key, for: reader)
    }
}

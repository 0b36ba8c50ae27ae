package import Model

extension Command {
    /// Creates the first note of a thread, a reply, or a note of an entry.
    package static func createNote(_ draft: NoteDraft) -> Command {
        switch draft.subject {
        case .book(let book): createNote(on: book, draft)
        case .note(let answered): writeReply(to: answered, draft)
        case .entry(let entry): createNote(ofEntry: entry ?? .zero, draft)
        }
    }

    /// Creates the first note of a thread, private or in a club. A private one needs no right; for a club see
    /// `ClubAction.writeNotes`.
    private static func createNote(on book: ResourceID, _ draft: NoteDraft) -> Command {
        Command { state, actor throws(RequestError) in
            let book = try state.book(named: book)
            let club = try draft.club.map { id throws(RequestError) in try state.clubToWriteIn(id, actor) }
            let about = try draft.about.map { id throws(RequestError) in try state.subject(id, of: club, on: book) }
            let (place, newScales) = try state.notePlace(
                draft.position, draft.threshold, in: book, club, for: actor, orAt: about?.position)
            let inherited = draft.run == nil ? about?.run : nil
            let run = inherited == nil ? try state.run(draft.run, on: book.id, of: club) : inherited
            var note = Note(
                id: actor.newID, book: (book.id, book.key), club: club.map { ($0.id, $0.key) }, author: actor.reader,
                run: run,
                about: draft.about, at: place, body: draft.body, createdAt: actor.now)
            if let club { note.share(with: draft.audience ?? .club, in: (club.id, club.key)) }
            note.authorName = try state.name(of: actor, in: note)
            draft.words.apply(to: &note)
            return CommandDecision([RowWrite<NoteTable>(before: nil, after: note)] + newScales)
        }
    }

    /// Creates a reply to a note or to another reply, in its book and club, and at its position unless another one is
    /// given. The reply becomes visible no earlier than the note. Anyone who sees the note may reply.
    private static func writeReply(to note: ResourceID, _ draft: NoteDraft) -> Command {
        Command { state, actor throws(RequestError) in
            let answered = try state.note(note, actor)
            try state.demandMembership(for: answered, actor, .writeNotes)
            let club = try state.query(
                answered.clubKey.flatMap { key throws(SQLiteError) in
                    try ClubTable.find(key: key, in: state.db)
                })
            let (place, newScales) = try state.replyPlace(draft, to: answered, club, for: actor)
            var reply = Note(
                id: actor.newID, answering: answered, author: actor.reader, at: place, body: draft.body,
                createdAt: actor.now)
            reply.authorName = try state.name(of: actor, in: reply)
            draft.words.apply(to: &reply)
            return CommandDecision(
                [RowWrite<NoteTable>(before: nil, after: reply)] + newScales + (try state.counting([(nil, reply)])))
        }
    }

    /// Changes a note's text, widens its audience or raises its threshold. Its author may; those who may delete others'
    /// notes may only raise thresholds. Members who gain or lose access receive events.
    package static func updateNote(_ id: ResourceID, _ patch: NotePatch) -> Command {
        Command { state, actor throws(RequestError) in
            let old = try state.note(id, actor)
            try state.demandRight(to: patch, old, actor)
            try actor.precondition.check(old)
            var new = old
            if let body = patch.body { new.body = body }
            patch.words.apply(to: &new)
            if patch.changesText, new.text == nil {
                throw .violation("/body", "is required without a quote")
            }
            let newScales = try state.raise(&new, as: patch.raise, actor)
            let raising = try state.raising(old, to: new)
            let sharing = try state.sharing(&new, as: patch, actor)
            let entry = patch.changesText ? try state.entryShowing(old, as: new) : []
            var roots: [any CommandChange] = []
            if old.thread != nil {
                roots = try state.counting([(old, new)] + raising.replies.map { ($0.before, $0.after) })
            } else if new.threshold != old.threshold || new.audience != old.audience {
                new.replyCount = try state.replyCount(of: new, raising.replies)
            }
            let replies = raising.replies.map {
                RowWrite<NoteTable>(before: $0.before, after: $0.after) as any CommandChange
            }
            return CommandDecision(
                raising.events + [RowWrite<NoteTable>(before: old, after: new)] + sharing + replies + entry + newScales
                    + roots,
                subject: raising.events.count)
        }
    }

    /// Deletes a note but not its replies. Its author may, even after leaving the club; for others see
    /// `ClubAction.deleteNotes`.
    package static func deleteNote(_ id: ResourceID) -> Command {
        Command { state, actor throws(RequestError) in
            let note = try state.note(id, actor)
            let reader = actor.reader.key
            if note.authorKey != reader, let club = note.club { _ = try state.club(club, actor, .deleteNotes) }
            try actor.precondition.check(state.query(NoteTable.shown(note, to: reader, in: state.db)))
            return CommandDecision(
                [RowWrite<NoteTable>(before: note, after: nil)]
                    + (try state.query(StoredTable.changes(atEndOf: .note, note.key, in: state.db)))
                    + (try state.counting([(note, nil)])))
        }
    }
}

extension WriteState {
    /// Returns the position of the meeting or milestone of a club that a note is about, and its run. A meeting about the
    /// whole book has no position.
    fileprivate func subject(
        _ id: ResourceID, of club: Club?, on book: Book
    ) throws(RequestError) -> (position: Position?, run: ResourceID?) {
        if let club, let meeting = try query(MeetingTable.find(id, of: club.key, in: db)), meeting.bookKey == book.key {
            return (meeting.position?.withoutLocator, meeting.run)
        }
        guard let club, let milestone = try query(MilestoneTable.find(id, of: club.key, in: db)),
            milestone.book == book.id
        else { throw .violation("/about", "is not a meeting or milestone of the club for this book") }
        return (milestone.position?.withoutLocator, milestone.run)
    }

    /// Returns a position in a book with its scales. Without an edition of its own, it is in the edition or pages that
    /// the actor reads.
    func keyed(
        _ position: Position, in book: Book, of actor: CommandActor, at member: String = "/position"
    ) throws(RequestError) -> StoredPosition {
        let reading = try query(ReadingTable.current(reader: actor.reader.key, book: book.key, in: db))
        return try keyed(
            PositionDraft(position), inBook: book.key, edition: reading?.edition,
            pageCount: reading?.pageCount ?? book.pageCount, at: member)
    }

    /// Returns a note's position and threshold. The position of the resource that it is `about` is not in the actor's
    /// edition.
    fileprivate func notePlace(
        _ given: Position?, _ word: SpoilerThresholdKind?, in book: Book, _ club: Club?, for actor: CommandActor,
        orAt subject: Position? = nil
    ) throws(RequestError) -> (NotePlace, newScales: [any CommandChange]) {
        guard let position = given ?? subject else {
            return (NotePlace(nil, progress: nil, word == .everyone ? .everyone : .finished), [])
        }
        let keyed =
            try given == nil
            ? keyed(PositionDraft(position), inBook: book.key, edition: nil, pageCount: book.pageCount)
            : keyed(position, in: book, of: actor)
        let threshold = word?.fixed ?? keyed.threshold(slack: slack(of: club))
        return (NotePlace(keyed.resolved.position, progress: keyed.resolved.share, threshold), keyed.newScales)
    }

    /// Returns a reply's position and threshold. The position is that of the note unless another one is given, and the
    /// threshold is no lower.
    fileprivate func replyPlace(
        _ draft: NoteDraft, to answered: Note, _ club: Club?, for actor: CommandActor
    ) throws(RequestError) -> (NotePlace, newScales: [any CommandChange]) {
        guard let position = draft.position else {
            var place = answered.placeOfReplies
            if draft.threshold == .finished { place.raise(to: .finished, at: nil) }
            return (place, [])
        }
        let book = try found(BookTable.find(key: answered.bookKey, in: db))
        let (place, newScales) = try notePlace(position, draft.threshold, in: book, club, for: actor)
        return (place.reply(to: answered.place), newScales)
    }

    /// Returns how much later than its position a note becomes visible in other scales. A private note gets the club's
    /// slack when it is shared.
    func slack(of club: Club?) -> Progress { club.map { $0.slack ?? Club.defaultSlack } ?? .none }

    /// Returns the name of a note's author in its club, or `nil` for a private note.
    func name(of author: CommandActor, in note: Note) throws(RequestError) -> String? {
        guard let club = note.clubKey else { return nil }
        return try query(MemberTable.name(of: author.reader.key, inClub: club, in: db))
    }

    fileprivate func demandRight(to patch: NotePatch, _ note: Note, _ actor: CommandActor) throws(RequestError) {
        if note.authorKey != actor.reader.key {
            guard patch.isRaise, let club = note.club else {
                throw .refused(.authorsOnly, "Only its author may edit a note.")
            }
            _ = try self.club(club, actor, .deleteNotes)
        }
        try demandMembership(for: note, actor, .writeNotes)
    }

    /// Returns a note that the actor sees, or throws `notFound`.
    func note(_ id: ResourceID, _ actor: CommandActor) throws(RequestError) -> Note {
        try found(NoteTable.find(id, seenBy: actor.reader.key, in: db))
    }

    /// Throws unless the actor may act on a note that they see. In a club, only members may, and only while it is not
    /// archived.
    func demandMembership(for note: Note, _ actor: CommandActor, _ action: ClubAction) throws(RequestError) {
        guard let club = note.club else { return }
        do throws(RequestError) {
            _ = try openClub(club, actor, action)
        } catch {
            throw error == .notFound ? .formerMember : error
        }
    }

    /// Returns a club of the actor that is not archived. Reports any other club as an invalid value.
    func clubToWriteIn(
        _ id: ResourceID, _ actor: CommandActor, at pointer: String = "/club"
    ) throws(RequestError) -> Club {
        do throws(RequestError) {
            return try openClub(id, actor, .writeNotes).0
        } catch {
            if error == .notFound {
                throw .violation(pointer, "you are not in such a club")
            }
            throw error
        }
    }
}

extension SpoilerThresholdKind {
    /// The threshold, or `nil` if it follows from a position.
    var fixed: SpoilerThreshold? {
        switch self {
        case .position: nil
        case .finished: .finished
        case .everyone: .everyone
        }
    }
}

extension RequestError {
    /// The error for the author of a note who has left its club.
    package static let formerMember = RequestError.refused(
        .formerMember, "You left the note's club. You can still read and delete your own notes there.")
}

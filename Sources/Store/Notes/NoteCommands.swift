import JSON
package import Model

extension Command {
    /// Writes a note, for oneself or for a club. Every reader may for themselves; for a club see `ClubAction.writeNotes`.
    package static func writeNote(_ draft: NoteDraft) -> Command {
        Command { state, asker throws(LecternError) in
            let book = try state.book(named: draft.book)
            let club = try draft.club.map { id throws(LecternError) in try state.clubToWriteIn(id, asker) }
            let about = try draft.about.map { id throws(LecternError) in try state.subject(id, of: club, on: book) }
            var (place, believing) = try state.notePlace(
                draft.position, opens: draft.opens, in: book, slack: club?.slack ?? Club.usualSlack, for: asker,
                orAt: about?.position)
            place.opening = try state.inHindsight(place.opening, of: asker.reader.key, on: book.key, in: club)
            let inherited = draft.run == nil ? about?.run : nil
            let run = inherited == nil ? try state.run(draft.run, on: book.id, of: club) : inherited
            var note = Note(
                id: asker.newID, book: (book.id, book.key), club: club.map { ($0.id, $0.key) }, author: asker.reader,
                run: run,
                about: draft.about, at: place, body: draft.body, createdAt: asker.now)
            if let club { note.share(with: draft.audience ?? .club, in: (club.id, club.key)) }
            note.authorName = try state.name(of: asker, in: note)
            note.keepReticence(of: club)
            draft.words.apply(to: &note)
            return Decision([Write<NoteTable>(before: nil, after: note)] + believing)
        }
    }

    /// Answers a note, which may be an answer itself: in its book, its club, and, unless another is said, at its position. It
    /// opens no earlier. Who sees the note may.
    package static func writeReply(to note: ResourceID, _ draft: ReplyDraft) -> Command {
        Command { state, asker throws(LecternError) in
            let answered = try state.note(note, asker)
            try state.demandMembership(for: answered, asker, .writeNotes)
            let club = try state.read(
                answered.clubKey.flatMap { key throws(SQLiteError) in
                    try ClubTable.find(key: key, in: state.db)
                })
            var (place, believing) = try state.replyPlace(
                draft, to: answered, slack: club?.slack ?? Club.usualSlack, for: asker)
            place.opening = try state.inHindsight(
                place.opening, of: asker.reader.key, on: answered.bookKey, in: club)
            var reply = Note(
                id: asker.newID, answering: answered, author: asker.reader, at: place, body: draft.body,
                createdAt: asker.now)
            reply.authorName = try state.name(of: asker, in: reply)
            reply.keepReticence(of: club)
            draft.words.apply(to: &reply)
            return Decision([Write<NoteTable>(before: nil, after: reply)] + believing)
        }
    }

    /// Writes a note anew, shares it with more readers, or lets it open later. Its author may; and who deletes others' notes may let
    /// them open later. What answers it opens no earlier. Who comes to see it is told, and who sees it no more.
    package static func patchNote(_ id: ResourceID, _ patch: NotePatch) -> Command {
        Command { state, asker throws(LecternError) in
            let old = try state.note(id, asker)
            try state.demandRight(to: patch, old, asker)
            try asker.precondition.check(old)
            var new = old
            if let body = patch.body { new.body = body }
            patch.words.apply(to: &new)
            if patch.isOfWords, new.text == nil {
                throw .invalid([Violation(pointer: "/body", detail: "is required where there is no quote")])
            }
            let sharing = try state.sharing(&new, as: patch, asker)
            let entry = patch.isOfWords ? try state.entryShowing(old, as: new) : []
            // How much later is not told where it is not told when: less than that is nothing then.
            // At the whole, of what some come to by another way still, is when finished.
            let ends = patch.opensAt == .whole && new.opening.way != .finished
            guard let share = patch.opensAt, share != new.opening.share || ends,
                share >= new.opening.share || !new.isReticent
            else {
                let quiet = state.quiet(old, new)
                return Decision(
                    quiet + [Write<NoteTable>(before: old, after: new)] + sharing + entry, subject: quiet.count)
            }
            guard share >= new.opening.share else { throw .opensEarlier(new.opening.share) }
            new.opening = new.opening.raised(to: share)
            let raising = try state.raising(old, to: share)
            // What is sent is no other share then.
            let inFrame = share == old.opening.share && !new.isReticent ? [RaiseInFrame(note: old.key, to: share)] : []
            let before = raising.told + state.quiet(old, new) + inFrame
            return Decision(
                before + [Write<NoteTable>(before: old, after: new)] + sharing + raising.answers + entry,
                subject: before.count)
        }
    }

    /// Takes a note away; replies to it stay. Its author may, also when they have gone from its club; for others see
    /// `ClubAction.deleteNotes`.
    package static func deleteNote(_ id: ResourceID) -> Command {
        Command { state, asker throws(LecternError) in
            let note = try state.note(id, asker)
            let reader = asker.reader.key
            if note.authorKey != reader, let club = note.club { _ = try state.club(club, asker, .deleteNotes) }
            try asker.precondition.check(state.read(NoteTable.shown(note, to: reader, in: state.db)))
            return Decision(
                [Write<NoteTable>(before: note, after: nil)] + (try state.entryShowing(note, as: nil)))
        }
    }
}

extension WriteState {
    /// Where a note is, and opens, of which that was said: by the edition that its author reads, where it names none; and what follows
    /// for that.
    fileprivate func notePlace(
        _ said: PositionDraft?, opens: Opening.Way?, in book: Book, slack: Progress, for asker: Asker,
        orAt subject: PositionDraft? = nil
    ) throws(LecternError) -> (NotePlace, [any Proposal]) {
        // Where a club is to be is not said by anybody's edition.
        let isOwn = said != nil
        guard let said = said ?? subject else {
            return (NotePlace(nil, opening: opens == .everyone ? .everyone : .finished), [])
        }
        let reading = try !isOwn ? nil : read(ReadingTable.current(reader: asker.reader, book: book.key, in: db))
        // The pages are those of who reads, or, where these are not known, of the book.
        let scale = try scale(
            of: book.key, saying: said, edition: reading?.edition, pageCount: reading?.pageCount ?? book.pageCount,
            roundsUp: true)
        let placed = try scale.placed(said)
        let opening: Opening =
            switch opens ?? .position {
            case .position:
                Opening(
                    at: placed, in: scale.place(of: placed, inBook: book.key),
                    forOthers: placed.opensAt(slack: slack))
            case .finished: .finished
            case .everyone: .everyone
            }
        return (NotePlace(placed, opening: opening), scale.believing(placed))
    }

    /// The same of a reply: it is where what it answers is, unless it says another place, and opens no earlier.
    fileprivate func replyPlace(
        _ draft: ReplyDraft, to answered: Note, slack: Progress, for asker: Asker
    ) throws(LecternError) -> (NotePlace, [any Proposal]) {
        var (place, believing) = (answered.placeOfAnswers, [any Proposal]())
        if draft.position != nil {
            let book = try found(BookTable.find(key: answered.bookKey, in: db))
            (place, believing) = try notePlace(
                draft.position, opens: draft.opens, in: book, slack: slack, for: asker)
        } else if draft.opens == .finished {
            place.opening = .finished
        }
        place.opening = place.opening.noEarlier(than: answered.opening)
        return (place, believing)
    }

    /// What the author of a note is called in its club; nil of a private one.
    func name(of author: Asker, in note: Note) throws(LecternError) -> String? {
        guard let club = note.clubKey else { return nil }
        return try read(MemberTable.name(of: author.reader.key, inClub: club, in: db))
    }

    fileprivate func demandRight(to patch: NotePatch, _ note: Note, _ asker: Asker) throws(LecternError) {
        if note.authorKey != asker.reader.key {
            guard patch.isRaise, let club = note.club else {
                throw .refused(.authorsOnly, "Only its author may edit a note.")
            }
            _ = try self.club(club, asker, .deleteNotes)
        }
        try demandMembership(for: note, asker, .writeNotes)
    }

    /// A note that the asker sees; all others are not found.
    func note(_ id: ResourceID, _ asker: Asker) throws(LecternError) -> Note {
        try found(NoteTable.find(id, seenBy: asker.reader.key, in: db))
    }

    /// Whether something may be made of a note that the asker sees: in its club that is for members, while the club is not
    /// archived.
    func demandMembership(for note: Note, _ asker: Asker, _ action: ClubAction) throws(LecternError) {
        guard let club = note.club else { return }
        do throws(LecternError) {
            _ = try openClub(club, asker, action)
        } catch {
            throw error == .notFound ? .formerMember : error
        }
    }

    /// A club of the asker's that is not archived. One that they are not in is none.
    func clubToWriteIn(
        _ id: ResourceID, _ asker: Asker, at pointer: String = "/club"
    ) throws(LecternError) -> Club {
        do throws(LecternError) {
            return try openClub(id, asker, .writeNotes).0
        } catch {
            if error == .notFound {
                throw .invalid([Violation(pointer: pointer, detail: "you are in no such club")])
            }
            throw error
        }
    }
}

extension LecternError {
    fileprivate static func opensEarlier(_ share: Progress) -> LecternError {
        var json = JSONWriter()
        json.progress(share)
        return .invalid([
            Violation(
                pointer: "/opensAt",
                detail: "must not be less than \(String(decoding: json.bytes, as: UTF8.self)), where the note opens now"
            )
        ])
    }

    /// For who has gone from the club of a note that they wrote.
    package static let formerMember = LecternError.refused(
        .formerMember, "You have gone from the club of this note. You may read what you wrote, and delete it.")
}

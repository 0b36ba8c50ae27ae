import JSON
package import Model

/// Writes a note, for oneself or for a club.
package struct WriteNote: Command {
    let id: ResourceID
    let draft: NoteDraft
    let viewer: Viewer
    let now: Instant

    /// A note with all that a body says.
    package init(id: ResourceID, draft: NoteDraft, viewer: Viewer, now: Instant) {
        self.id = id
        self.draft = draft
        self.viewer = viewer
        self.now = now
    }

    /// Every reader may for themselves; for a club see `ClubAction.writeNotes`.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let draft = draft
        guard let book = try state.query({ db throws(SQLiteError) in try BookTable.find(draft.book, in: db) }) else {
            throw .invalid([Violation(pointer: "/book", detail: "there is no such book")])
        }
        let club = try draft.club.map { id throws(LecternError) in try state.clubToWriteIn(id, viewer) }
        let position = try draft.position.map { position throws(LecternError) in
            try position.resolved(state.pageCount(of: book, for: viewer))
        }
        let note = Note(
            id: id, book: (book.id, book.key), club: club.map { ($0.id, $0.key) },
            author: (viewer.reader, viewer.readerKey), thread: nil, progress: position?.progress, page: position?.page,
            body: draft.body, createdAt: now)
        return Decision([Write<NoteTable>(before: nil, after: note)])
    }
}

/// Answers a note: in its book, its club, and at its position.
package struct WriteReply: Command {
    let id: ResourceID
    let note: ResourceID
    let body: String
    let viewer: Viewer
    let now: Instant

    /// A reply to a note, which may be one itself.
    package init(id: ResourceID, to note: ResourceID, body: String, viewer: Viewer, now: Instant) {
        self.id = id
        self.note = note
        self.body = body
        self.viewer = viewer
        self.now = now
    }

    /// Who sees the note may.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let root = try state.note(note, viewer)
        try state.demandMembership(for: root, viewer, .writeNotes)
        let reply = Note(
            id: id, book: (root.book, root.bookKey), club: root.club.map { ($0, root.clubKey ?? 0) },
            author: (viewer.reader, viewer.readerKey), thread: root.thread ?? root.id, progress: root.progress,
            page: root.page, body: body, createdAt: now)
        return Decision([Write<NoteTable>(before: nil, after: reply)])
    }
}

/// Writes a note anew.
package struct PatchNote: Command {
    let id: ResourceID
    let body: String?
    let precondition: Precondition
    let viewer: Viewer

    /// A merge patch of a note.
    package init(id: ResourceID, body: String?, precondition: Precondition, viewer: Viewer) {
        self.id = id
        self.body = body
        self.precondition = precondition
        self.viewer = viewer
    }

    /// Its author may.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let old = try state.note(id, viewer)
        guard old.authorKey == viewer.readerKey else {
            throw .refused(.authorsOnly, "Only its author may edit a note.")
        }
        try state.demandMembership(for: old, viewer, .writeNotes)
        try precondition.check(old)
        var new = old
        if let body { new.body = body }
        return Decision([Write<NoteTable>(before: old, after: new)])
    }
}

/// Takes a note away; replies to it stay.
package struct DeleteNote: Command {
    let id: ResourceID
    let precondition: Precondition
    let viewer: Viewer

    /// The end of a note.
    package init(id: ResourceID, precondition: Precondition, viewer: Viewer) {
        self.id = id
        self.precondition = precondition
        self.viewer = viewer
    }

    /// Its author may, also when they have gone from its club; for others see `ClubAction.deleteNotes`.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let note = try state.note(id, viewer)
        let reader = viewer.readerKey
        if note.authorKey != viewer.readerKey, let club = note.club { _ = try state.club(club, viewer, .deleteNotes) }
        try precondition.check(
            state.query { db throws(SQLiteError) in try NoteTable.shown(note, to: reader, in: db) })
        return Decision([Write<NoteTable>(before: note, after: nil)])
    }
}

extension WriteState {
    /// By what a reader counts the pages of a book: by the edition that they read, or, where that is not known, by the book.
    fileprivate func pageCount(of book: Book, for viewer: Viewer) throws(LecternError) -> Int32? {
        let reading = try query { db throws(SQLiteError) in
            try ReadingTable.current(reader: (viewer.reader, viewer.readerKey), book: book.key, in: db)
        }
        return reading?.pageCount ?? book.pageCount
    }

    /// A note that the viewer sees; all others are not found.
    func note(_ id: ResourceID, _ viewer: Viewer) throws(LecternError) -> Note {
        let found = try query { db throws(SQLiteError) in
            try NoteTable.find(id, seenBy: viewer.readerKey, in: db)
        }
        guard let found else { throw .notFound }
        return found
    }

    /// Whether something may be made of a note that the viewer sees: in its club that is for members, while the club is not
    /// archived.
    func demandMembership(for note: Note, _ viewer: Viewer, _ action: ClubAction) throws(LecternError) {
        guard let club = note.club else { return }
        do throws(LecternError) {
            _ = try openClub(club, viewer, action)
        } catch {
            throw error == .notFound ? .formerMember : error
        }
    }

    /// A club of the viewer's that is not archived. One that they are not in is none.
    func clubToWriteIn(_ id: ResourceID, _ viewer: Viewer) throws(LecternError) -> Club {
        do throws(LecternError) {
            return try openClub(id, viewer, .writeNotes).0
        } catch {
            if error == .notFound {
                throw .invalid([Violation(pointer: "/club", detail: "you are in no such club")])
            }
            throw error
        }
    }
}

extension LecternError {
    /// For who has gone from the club of a note that they wrote.
    package static let formerMember = LecternError.refused(
        .formerMember, "You have gone from the club of this note. You may read what you wrote, and delete it.")
}

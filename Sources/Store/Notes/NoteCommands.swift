import JSON
package import Model

extension Command {
    /// Writes a note, for oneself or for a club. Every reader may for themselves; for a club see `ClubAction.writeNotes`.
    package static func writeNote(_ draft: NoteDraft) -> Command {
        Command { state, asker throws(LecternError) in
            let book = try state.book(named: draft.book)
            let club = try draft.club.map { id throws(LecternError) in try state.clubToWriteIn(id, asker) }
            let position = try draft.position.map { position throws(LecternError) in
                try position.resolved(state.pageCount(of: book, for: asker))
            }
            let note = Note(
                id: asker.newID, book: (book.id, book.key), club: club.map { ($0.id, $0.key) }, author: asker.reader,
                thread: nil, progress: position?.progress, page: position?.page, body: draft.body, createdAt: asker.now)
            return Decision([Write<NoteTable>(before: nil, after: note)])
        }
    }

    /// Answers a note, which may be an answer itself: in its book, its club, and at its position. Who sees the note may.
    package static func writeReply(to note: ResourceID, _ body: String) -> Command {
        Command { state, asker throws(LecternError) in
            let root = try state.note(note, asker)
            try state.demandMembership(for: root, asker, .writeNotes)
            let reply = Note(
                id: asker.newID, book: (root.book, root.bookKey), club: root.club.map { ($0, root.clubKey ?? 0) },
                author: asker.reader, thread: root.thread ?? root.id, progress: root.progress, page: root.page,
                body: body, createdAt: asker.now)
            return Decision([Write<NoteTable>(before: nil, after: reply)])
        }
    }

    /// Writes a note anew. Its author may.
    package static func patchNote(_ id: ResourceID, body: String?) -> Command {
        Command { state, asker throws(LecternError) in
            let old = try state.note(id, asker)
            guard old.authorKey == asker.reader.key else {
                throw .refused(.authorsOnly, "Only its author may edit a note.")
            }
            try state.demandMembership(for: old, asker, .writeNotes)
            try asker.precondition.check(old)
            var new = old
            if let body { new.body = body }
            return Decision([Write<NoteTable>(before: old, after: new)])
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
            return Decision([Write<NoteTable>(before: note, after: nil)])
        }
    }
}

extension WriteState {
    /// By what a reader counts the pages of a book: by the edition that they read, or, where that is not known, by the book.
    fileprivate func pageCount(of book: Book, for asker: Asker) throws(LecternError) -> Int32? {
        try read(ReadingTable.current(reader: asker.reader, book: book.key, in: db))?.pageCount ?? book.pageCount
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
    fileprivate func clubToWriteIn(_ id: ResourceID, _ asker: Asker) throws(LecternError) -> Club {
        do throws(LecternError) {
            return try openClub(id, asker, .writeNotes).0
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

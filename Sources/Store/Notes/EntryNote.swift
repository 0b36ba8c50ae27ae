import Model

extension Command {
    /// Creates a note at an entry's position, from the entry's own text or another one. The entry then refers to the
    /// note. Only the reading's reader may.
    static func createNote(ofEntry id: ResourceID, _ draft: NoteDraft) -> Command {
        Command { state, actor throws(RequestError) in
            guard let entry = try state.query(EntryTable.find(id, in: state.db)), entry.readerKey == actor.reader.key
            else { throw .violation("/entry", "you have no such entry") }
            let reading = try state.reading(entry.reading, of: actor)
            if let note = entry.noteID {
                throw .refused(.entryNoted, "The entry already has a note. Change it with PATCH /v1/notes/\(note).")
            }
            let text = draft.body.isEmpty && !draft.words.isCiting ? entry.note : draft.body
            guard let text else {
                throw .violation("/body", "is required: the entry has no text")
            }
            let note = try state.note(
                draft, saying: text, of: entry, at: state.position(of: entry), in: reading, actor, id: actor.newID)
            return CommandDecision([RowWrite<NoteTable>(before: nil, after: note), state.write(entry, showing: note)])
        }
    }
}

extension WriteState {
    /// Returns a new note at the position of an entry.
    func note(
        _ draft: NoteDraft, saying text: String, of entry: Entry, at position: Position, in reading: Reading,
        _ actor: CommandActor, id: ResourceID, member: String = ""
    ) throws(RequestError) -> Note {
        let club = try draft.club.map { id throws(RequestError) in try clubToWriteIn(id, actor, at: member + "/club") }
        let threshold =
            draft.threshold?.fixed
            ?? SpoilerThreshold(at: entry.scaled.exact, share: entry.progress).adding(slack(of: club))
        var note = Note(
            id: id, book: (reading.book, reading.bookKey), club: club.map { ($0.id, $0.key) }, author: actor.reader,
            run: try run(draft.run, on: reading.book, of: club, at: member),
            at: NotePlace(position, progress: entry.progress, threshold), body: text, createdAt: actor.now)
        if let club { note.share(with: draft.audience ?? .club, in: (club.id, club.key)) }
        note.authorName = try name(of: actor, in: note)
        draft.words.apply(to: &note)
        return note
    }

    /// Returns the position of an entry for its note. A bare page or progress becomes a position.
    fileprivate func position(of entry: Entry) throws(RequestError) -> Position {
        if let position = entry.position { return position }
        let scale = try entry.scaled.scale.flatMap { key throws(RequestError) in
            try query(ComparisonScaleTable.find(key: key, in: db))
        }
        if case .pages? = scale, let page = entry.page { return Position(.page(page)) }
        return Position(.progress(entry.progress))
    }

    /// Returns the write after which an entry refers to a note.
    func write(_ entry: Entry, showing note: Note) -> any CommandChange {
        var after = entry
        after.show(note)
        return RowWrite<EntryTable>(before: entry, after: after)
    }

    /// Returns the write to the entry that refers to a note, after the note's text changed.
    func entryShowing(_ note: Note, as new: Note) throws(RequestError) -> [any CommandChange] {
        try query(EntryTable.all(of: "note_id", note.id, in: db)).map { write($0, showing: new) }
    }

    /// Returns the deletion of an undone entry's note. The entry itself is deleted, too.
    func ending(noteOf entry: Entry) throws(RequestError) -> [any CommandChange] {
        guard let id = entry.noteID, let note = try query(NoteTable.find(id, in: db)) else { return [] }
        let others = try query(StoredTable.changes(atEndOf: .note, note.key, in: db)).filter {
            !($0 is RowWrite<EntryTable>)
        }
        return [RowWrite<NoteTable>(before: note, after: nil)] + others
    }
}

extension CommandActor {
    /// The id of a note that is created together with another resource. Those who see the note cannot derive the id of
    /// the other resource from it.
    var noteID: ResourceID {
        let words = SHA256.digest(of: otherID.withBytes { Array($0) }).words
        let low = UInt64(words[0]) << 32 | UInt64(words[1])
        return ResourceID(high: otherID.high, low: 0x8000_0000_0000_0000 | low >> 2)
    }
}

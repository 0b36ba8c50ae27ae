import JSON
package import Model

extension Command {
    /// Makes a note of what an entry says itself, or with other words; it is where the entry is, which shows it from then on. The
    /// reading's reader may.
    package static func noteEntry(_ id: ResourceID, of reading: ResourceID, _ draft: EntryNoteDraft) -> Command {
        Command { state, asker throws(LecternError) in
            let reading = try state.reading(reading, of: asker)
            let entry = try state.found(EntryTable.find(id, in: state.db)) { $0.readingKey == reading.key }
            if let note = entry.noteID {
                throw .refused(.entryNoted, "The entry has a note: PATCH /v1/notes/\(note) changes it.")
            }
            let text = draft.body.isEmpty && !draft.words.isCiting ? entry.note : draft.body
            guard let text else {
                throw .invalid([Violation(pointer: "/body", detail: "is required, for the entry says nothing")])
            }
            // By its share of the story: what that was said by may have come to mean something else since.
            let byShare = PositionDraft.progress(entry.progress)
            let scale = try state.scale(
                of: reading.bookKey, saying: byShare, edition: nil, pageCount: nil, roundsUp: true)
            let placed = try scale.placed(byShare)
            let exact = try scale.ofChapters.placed(byShare)
            // What was held true of its edition since counts, too.
            let now = try entry.inFrame.flatMap { part throws(LecternError) in
                try state.scale(ofFrame: entry.frame, inBook: reading.bookKey)?.placed(part: part)
            }
            let note = try state.note(draft, saying: text, of: entry, in: reading, asker, id: asker.newID) { slack in
                let others = max(
                    placed.opensAt(slack: slack), exact.opensAt(slack: slack), now?.opensAt(slack: slack) ?? .none)
                return entry.opening(in: reading.bookKey, by: now, forOthers: others)
            }
            return Decision([Write<NoteTable>(before: nil, after: note), state.write(entry, showing: note)])
        }
    }
}

extension WriteState {
    /// A note that is where an entry is, and opens there.
    func note(
        _ draft: EntryNoteDraft, saying text: String, of entry: Entry, in reading: Reading, _ asker: Asker,
        id: ResourceID, at pointer: String = "", opening place: (_ slack: Progress) -> Opening
    ) throws(LecternError) -> Note {
        let club = try draft.club.map { id throws(LecternError) in try clubToWriteIn(id, asker, at: pointer + "/club") }
        var opening: Opening =
            switch draft.opens ?? .position {
            case .position: place(club?.slack ?? Club.usualSlack)
            case .finished: .finished
            case .everyone: .everyone
            }
        opening = try inHindsight(opening, of: asker.reader.key, on: reading.bookKey, in: club)
        var note = Note(
            id: id, book: (reading.book, reading.bookKey), club: club.map { ($0.id, $0.key) }, author: asker.reader,
            run: try run(draft.run, on: reading.book, of: club, at: pointer),
            at: NotePlace(of: entry, opening: opening), body: text, createdAt: asker.now)
        if let club { note.share(with: draft.audience ?? .club, in: (club.id, club.key)) }
        note.authorName = try name(of: asker, in: note)
        note.keepReticence(of: club)
        draft.words.apply(to: &note)
        return note
    }

    /// An entry that shows a note from now on, or none.
    func write(_ entry: Entry, showing note: Note?) -> any Proposal {
        var after = entry
        after.show(note)
        return Write<EntryTable>(before: entry, after: after)
    }

    /// What it brings to the entry that shows a note that this is what the note is now; nil where it is gone. It follows whatever
    /// writes a note's words, or takes one away.
    func entryShowing(_ note: Note, as new: Note?) throws(LecternError) -> [any Proposal] {
        try read(EntryTable.find(note: note.id, in: db)).map { [write($0, showing: new)] } ?? []
    }

    /// The note that goes with an entry which is undone.
    func ending(noteOf entry: Entry) throws(LecternError) -> [any Proposal] {
        guard let id = entry.noteID, let note = try read(NoteTable.current(id, in: db)) else { return [] }
        return [Write<NoteTable>(before: note, after: nil)]
    }
}

extension Entry {
    /// Where a note opens that is made of it later: within its frame where it is, and by chapters no earlier than by what is held true
    /// of its edition now, or not at all where that has no anchors any more.
    fileprivate func opening(in book: Int64, by now: Placed?, forOthers share: Progress) -> Opening {
        guard let frame, let inFrame else { return Opening(at: progress, in: book, forOthers: share) }
        let isOfEdition = frame != Place.chapters(ofBook: book)
        let most = leastByChapters.flatMap { least in now?.most.map { max(least, $0) } }
        return Opening(
            kept: isOfEdition ? inFrame : nil, in: frame, byChapters: isOfEdition ? most : inFrame,
            forOthers: progress == .none && inFrame == 0 ? .none : max(share, progress))
    }
}

extension Asker {
    /// The id of a note that is made beside something: nobody who sees the note learns that from it.
    var noteID: ResourceID {
        let words = SHA256.digest(of: otherID.withBytes { Array($0) }).words
        let low = UInt64(words[0]) << 32 | UInt64(words[1])
        return ResourceID(high: otherID.high, low: 0x8000_0000_0000_0000 | low >> 2)
    }
}

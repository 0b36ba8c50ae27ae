package import Model

extension Command {
    /// Records an entry of a reading, with its note, in one transaction. Only the reading's reader may. An entry from
    /// before the latest one joins the history and leaves the current progress unchanged. A finished reading accepts
    /// only entries that are dated no later than its end.
    package static func createEntry(of reading: ResourceID, _ draft: EntryDraft) -> Command {
        Command { state, actor throws(RequestError) in
            try state.recording(draft, in: state.reading(reading, of: actor), isNew: false, actor)
        }
    }

    /// Records an entry of the actor's reading that was open at the time of the entry. Starts a reading if there is
    /// none.
    package static func createEntry(ofBook book: ResourceID, _ draft: EntryDraft) -> Command {
        Command { state, actor throws(RequestError) in
            let book = try state.found(BookTable.find(book, in: state.db))
            let at = draft.happenedAt.map { min($0, actor.now) }
            if let at,
                let ended = try state.query(
                    ReadingTable.endedFirst(after: at, reader: actor.reader.key, book: book.key, in: state.db))
            {
                return try state.recording(draft, in: ended, isNew: false, actor)
            }
            if let open = try state.openReading(of: book.key, by: actor) {
                return try state.recording(draft, in: open, isNew: false, actor)
            }
            var reading = try state.newReading(of: book, id: actor.otherID, actor)
            reading.key = try state.query(ReadingTable.rows.nextKey(in: state.db))
            return try state.recording(draft, in: reading, isNew: true, actor)
        }
    }

    /// Undoes an entry: the current progress falls back to that of the entries before. Its note is deleted unless it is
    /// to be kept. Only the reading's reader may.
    package static func deleteEntry(
        _ id: ResourceID, of reading: ResourceID, keepingNote: Bool = false
    ) -> Command {
        Command { state, actor throws(RequestError) in
            let old = try state.reading(reading, of: actor)
            let entry = try state.found(EntryTable.find(id, in: state.db)) { $0.readingKey == old.key }
            try actor.precondition.check(entry)
            let ends =
                [RowWrite<EntryTable>(before: entry, after: nil)] + (keepingNote ? [] : try state.ending(noteOf: entry))
            let marks = state.marking(entry, in: old, isUndone: true)
            guard old.latestEntry == entry.id else { return CommandDecision(ends + marks) }
            let new = try state.showing(
                state.query(EntryTable.latest(of: old.key, except: entry.key, in: state.db)), in: old)
            return CommandDecision(
                [ends[0], RowWrite<ReadingTable>(before: old, after: new)] + ends.dropFirst()
                    + marks + (try state.standings(of: new)))
        }
    }
}

extension WriteState {
    /// Records an entry in a reading, and stores a new reading with it.
    fileprivate func recording(
        _ draft: EntryDraft, in old: Reading, isNew: Bool, _ actor: CommandActor
    ) throws(RequestError) -> CommandDecision {
        guard old.mayTake(entryOf: draft.happenedAt) else {
            throw .refused(
                .readingFinished,
                """
                The reading is finished: a new entry needs a happenedAt no later than finishedAt. \
                PATCH /v1/readings/\(old.id) with {"isFinished": false} reopens it.
                """)
        }
        let keyed = try keyed(
            draft.position, inBook: old.bookKey, edition: old.edition, pageCount: old.pageCount)
        var entry = Entry(
            id: actor.newID, reading: (old.id, old.key), readerKey: old.readerKey, keyed.resolved, keyed.scaled,
            note: draft.text, device: draft.device, happenedAt: draft.happenedAt, receivedAt: actor.now)
        var noteChanges: [any CommandChange] = []
        if let given = draft.note {
            let position = keyed.resolved.position ?? Position(draft.position.value)
            let note = try note(
                given, saying: given.body, of: entry, at: position, in: old, actor, id: actor.noteID, member: "/note")
            entry.show(note)
            noteChanges = [RowWrite<NoteTable>(before: nil, after: note)]
        }
        // If the server's clock was ahead at the latest entry, that one counts as of now.
        let isLatest = old.latestEntryAt.map { min($0, actor.now) <= entry.happenedAt } ?? true
        let new = isLatest ? try showing(entry, in: old) : old
        let recorded = RowWrite<EntryTable>(before: nil, after: entry)
        let shown = RowWrite<ReadingTable>(before: isNew ? nil : old, after: new)
        return CommandDecision(
            (isNew ? [shown, recorded] : [recorded, shown]) + noteChanges + marking(entry, in: old) + keyed.newScales
                + (try standings(of: new)), subject: isNew ? 1 : 0)
    }
}

import JSON
package import Model

extension Command {
    /// Records progress, with a note or without: both are there afterwards, or neither. The reading's reader may, unless it is
    /// finished. An entry that took place before the latest one joins the history and leaves the current progress where it is.
    package static func recordEntry(of reading: ResourceID, _ draft: EntryDraft) -> Command {
        Command { state, asker throws(LecternError) in
            let old = try state.reading(reading, of: asker)
            guard !old.isFinished else {
                throw .refused(
                    .readingFinished,
                    "The reading is finished. PATCH /v1/readings/\(old.id) with {\"isFinished\": false} reopens it.")
            }
            let scale = try state.scale(
                of: old.bookKey, saying: draft.position, edition: old.edition, pageCount: old.pageCount,
                roundsUp: draft.note != nil)
            let placed = try scale.placed(draft.position)
            var entry = Entry(
                id: asker.newID, reading: (old.id, old.key), readerKey: old.readerKey, placed,
                frame: placed.frame == .unsaid ? nil : scale.place(of: placed, inBook: old.bookKey), note: draft.text,
                device: draft.device, happenedAt: draft.happenedAt ?? asker.now, receivedAt: asker.now)
            var noted: [any Proposal] = []
            if let said = draft.note {
                let note = try state.note(
                    said, saying: said.body, of: entry, in: old, asker, id: asker.noteID, at: "/note"
                ) {
                    Opening(at: placed, in: entry.frame ?? old.bookKey, forOthers: placed.opensAt(slack: $0))
                }
                entry.show(note)
                noted = [Write<NoteTable>(before: nil, after: note)]
            }
            let isLatest = try state.isLatest(entry, of: old, at: asker.now)
            let new = isLatest ? try state.showing(entry, in: old) : old
            var consequences = try state.consequences(of: entry, in: old)
            if !noted.isEmpty { consequences = noted + consequences }
            return Decision(
                [Write<EntryTable>(before: nil, after: entry), Write<ReadingTable>(before: old, after: new)]
                    + consequences + scale.believing(placed) + (try state.standings(of: new)))
        }
    }

    /// Undoes an entry: the current progress falls back to what it was without it. Its note goes with it, unless that is to be
    /// kept. The reading's reader may.
    package static func deleteEntry(
        _ id: ResourceID, of reading: ResourceID, keepingNote: Bool = false
    ) -> Command {
        Command { state, asker throws(LecternError) in
            let old = try state.reading(reading, of: asker)
            let entry = try state.found(EntryTable.find(id, in: state.db)) { $0.readingKey == old.key }
            try asker.precondition.check(entry)
            let consequences =
                (keepingNote ? [] : try state.ending(noteOf: entry))
                + (try state.consequences(of: old, exceptEntry: entry.key))
            guard old.latestEntry == entry.id else {
                return Decision([Write<EntryTable>(before: entry, after: nil)] + consequences)
            }
            let new = try state.showing(
                state.read(EntryTable.latest(of: old.key, except: entry.key, at: asker.now, in: state.db)), in: old)
            return Decision(
                [Write<EntryTable>(before: entry, after: nil), Write<ReadingTable>(before: old, after: new)]
                    + consequences + (try state.standings(of: new)))
        }
    }
}

extension WriteState {
    /// Whether it is now the entry that took place last. Only if it says that it happened before the reading's latest one does
    /// that one need to be looked at: a clock that was ahead may have said so.
    fileprivate func isLatest(_ entry: Entry, of reading: Reading, at now: Instant) throws(LecternError) -> Bool {
        guard let at = reading.latestEntryAt, at > entry.happenedAt, let id = reading.latestEntry else { return true }
        let latest = try read(EntryTable.find(id, in: db))
        return latest.map { $0.takesPlace(now) <= entry.takesPlace(now) } ?? true
    }
}

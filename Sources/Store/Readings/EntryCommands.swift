import JSON
package import Model

/// Records progress, with a note or without: both are there afterwards, or neither.
package struct RecordEntry: Command {
    let id: ResourceID
    let reading: ResourceID
    let draft: EntryDraft
    let viewer: Viewer
    let now: Instant

    /// An entry of a reading.
    package init(id: ResourceID, reading: ResourceID, draft: EntryDraft, viewer: Viewer, now: Instant) {
        self.id = id
        self.reading = reading
        self.draft = draft
        self.viewer = viewer
        self.now = now
    }

    /// The reading's reader may, unless it is finished. An entry that took place before the latest one joins the history
    /// and leaves the current progress where it is.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let old = try state.reading(reading, of: viewer)
        guard !old.isFinished else {
            throw .refused(
                .readingFinished,
                "The reading is finished. PATCH /v1/readings/\(old.id) with {\"isFinished\": false} reopens it.")
        }
        let (progress, page) = try draft.position.resolved(old.pageCount)
        let entry = Entry(
            id: id, reading: (old.id, old.key), readerKey: old.readerKey, progress: progress, page: page,
            note: draft.note, device: draft.device,
            happenedAt: draft.happenedAt ?? now, receivedAt: now)
        var new = old
        if try isLatest(entry, of: old, state) { new.show(entry) }
        return Decision(
            [Write<EntryTable>(before: nil, after: entry), Write<ReadingTable>(before: old, after: new)]
                + (try state.consequences(of: entry, in: old)) + (try state.standings(of: new)))
    }

    /// Whether it is now the entry that took place last. Only if it says that it happened before the reading's latest one does
    /// that one need to be looked at: a clock that was ahead may have said so.
    private func isLatest(
        _ entry: Entry, of reading: Reading, _ state: borrowing WriteState
    ) throws(LecternError) -> Bool {
        guard let at = reading.latestEntryAt, at > entry.happenedAt, let id = reading.latestEntry else { return true }
        let latest = try state.query { db throws(SQLiteError) in try EntryTable.find(id, in: db) }
        return latest.map { $0.takesPlace(now) <= entry.takesPlace(now) } ?? true
    }
}

/// Undoes an entry: the current progress falls back to what it was without it.
package struct DeleteEntry: Command {
    let id: ResourceID
    let reading: ResourceID
    let precondition: Precondition
    let viewer: Viewer
    let now: Instant

    /// The end of an entry.
    package init(id: ResourceID, reading: ResourceID, precondition: Precondition, viewer: Viewer, now: Instant) {
        self.id = id
        self.reading = reading
        self.precondition = precondition
        self.viewer = viewer
        self.now = now
    }

    /// The reading's reader may.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let (id, now) = (id, now)
        let old = try state.reading(reading, of: viewer)
        let found = try state.query { db throws(SQLiteError) in try EntryTable.find(id, in: db) }
        guard let entry = found, entry.readingKey == old.key else { throw .notFound }
        try precondition.check(entry)
        guard old.latestEntry == entry.id else {
            return Decision(
                [Write<EntryTable>(before: entry, after: nil)]
                    + (try state.consequences(of: old, exceptEntry: entry.key)))
        }
        var new = old
        let latest = try state.query { db throws(SQLiteError) in
            try EntryTable.latest(of: old.key, except: entry.key, at: now, in: db)
        }
        new.show(latest)
        return Decision(
            [Write<EntryTable>(before: entry, after: nil), Write<ReadingTable>(before: old, after: new)]
                + (try state.consequences(of: old, exceptEntry: entry.key)) + (try state.standings(of: new)))
    }
}

extension PositionDraft {
    /// The progress and the page that it means in a book; throws `invalid` for a page that the book does not have.
    func resolved(_ pageCount: Int32?) throws(LecternError) -> (progress: Progress, page: Int32?) {
        switch (self, pageCount) {
        case (.progress(let progress), let count): return (progress, count.map(progress.page(of:)))
        case (.page, nil):
            throw .invalid([
                Violation(pointer: "/page", detail: "needs a pageCount, and none is known: say progress instead")
            ])
        case (.page(let page), let count?):
            guard let progress = Progress(page: page, of: count) else {
                throw .invalid([Violation(pointer: "/page", detail: "must be at most \(count), the last page")])
            }
            return (progress, page)
        }
    }
}

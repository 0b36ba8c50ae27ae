import JSON
package import Model

extension WriteState {
    /// A reading of the viewer's own; everybody else's are not found.
    func reading(_ id: ResourceID, of viewer: Viewer) throws(LecternError) -> Reading {
        if let known = recentReadings[id] {
            guard known.readerKey == viewer.readerKey else { throw .notFound }
            return known
        }
        let reader = (viewer.reader, viewer.readerKey)
        let found = try query { db throws(SQLiteError) in try ReadingTable.find(id, of: reader, in: db) }
        guard let found else { throw .notFound }
        recentReadings.keep(found)
        return found
    }

    /// The viewer's reading of a book that is open; of several the latest.
    fileprivate func openReading(of book: Int64, by viewer: Viewer) throws(LecternError) -> Reading? {
        let reader = (viewer.reader, viewer.readerKey)
        let current = try query { db throws(SQLiteError) in
            try ReadingTable.current(reader: reader, book: book, in: db)
        }
        return current.flatMap { $0.isOpen ? $0 : nil }
    }
}

/// Begins a reading: the first one of a book, or a re-read.
package struct StartReading: Command {
    let id: ResourceID
    let draft: ReadingDraft
    let viewer: Viewer
    let now: Instant

    /// The viewer's reading of a book.
    package init(id: ResourceID, draft: ReadingDraft, viewer: Viewer, now: Instant) {
        self.id = id
        self.draft = draft
        self.viewer = viewer
        self.now = now
    }

    /// Every reader may begin a reading of their own, one at a time of a book unless they say that they mean it.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let draft = draft
        let reader = (viewer.reader, viewer.readerKey)
        guard let book = try state.query({ db throws(SQLiteError) in try BookTable.find(draft.book, in: db) }) else {
            throw .invalid([Violation(pointer: "/book", detail: "there is no such book")])
        }
        let earlier = try state.query { db throws(SQLiteError) in
            try ReadingTable.greatestNumber(reader: reader.1, book: book.key, in: db)
        }
        if earlier > 0, !draft.isReread, let open = try state.openReading(of: book.key, by: viewer) {
            throw .taken(
                .readingOpen,
                "You are reading this book: GET /v1/readings/\(open.id). Say isReread to begin it anew all the same.",
                CurrentState(of: open))
        }
        var reading = Reading(
            id: id, reader: reader, book: (book.id, book.key), number: earlier + 1, createdAt: now)
        reading.pageCount = book.pageCount
        draft.pageCount.apply(to: &reading.pageCount)
        return Decision([Write<ReadingTable>(before: nil, after: reading)])
    }
}

/// Changes where a reading stands.
package struct PatchReading: Command {
    let id: ResourceID
    let patch: ReadingPatch
    let precondition: Precondition
    let viewer: Viewer
    let now: Instant

    /// A merge patch of a reading.
    package init(id: ResourceID, patch: ReadingPatch, precondition: Precondition, viewer: Viewer, now: Instant) {
        self.id = id
        self.patch = patch
        self.precondition = precondition
        self.viewer = viewer
        self.now = now
    }

    /// Its reader may. A finished reading is at the whole; a reopened one falls back to its latest entry. A first reading is
    /// not reopened while another one of its book is open; a re-read was meant beside it, and is.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let old = try state.reading(id, of: viewer)
        try precondition.check(old)
        var new = old
        var pageCount = old.pageCount
        patch.pageCount.apply(to: &pageCount)
        new.change(pageCount: pageCount)
        switch patch.state {
        case .to(let wanted): new.state = wanted
        case .reopen: if old.isFinished { new.state = .reading }
        case nil: break
        }
        if new.isOpen, !old.isOpen, old.number == 1,
            let open = try state.openReading(of: old.bookKey, by: viewer)
        {
            throw .taken(
                .readingOpen,
                "You are reading this book again: GET /v1/readings/\(open.id). Finish or abandon that one first.",
                CurrentState(of: open))
        }
        if new.isFinished != old.isFinished {
            new.finishedAt = new.isFinished ? now : nil
            if new.isFinished {
                new.progress = .whole
                new.page = new.pageCount
            } else {
                let now = now
                let latest = try state.query { db throws(SQLiteError) in
                    try EntryTable.latest(of: old.key, except: 0, at: now, in: db)
                }
                new.show(latest)
            }
        }
        guard new.isFinished != old.isFinished else { return Decision([Write<ReadingTable>(before: old, after: new)]) }
        let consequences = try state.consequences(
            of: old, reopening: old.isFinished, finishing: new.isFinished)
        return Decision([Write<ReadingTable>(before: old, after: new)] + consequences + (try state.standings(of: new)))
    }
}

extension Reading {
    /// Shows the progress of its latest entry, or none.
    mutating func show(_ latest: Entry?) {
        latestEntry = latest?.id
        latestEntryAt = latest?.happenedAt
        guard !isFinished else { return }
        progress = latest?.progress ?? .none
        page = latest == nil ? nil : pageCount.map(progress.page(of:))
    }
}

/// Takes a reading away, and its entries with it.
package struct DeleteReading: Command {
    let id: ResourceID
    let precondition: Precondition
    let viewer: Viewer

    /// The end of a reading.
    package init(id: ResourceID, precondition: Precondition, viewer: Viewer, now: Instant) {
        self.id = id
        self.precondition = precondition
        self.viewer = viewer
    }

    /// Its reader may.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let old = try state.reading(id, of: viewer)
        try precondition.check(old)
        return Decision(
            [Write<ReadingTable>(before: old, after: nil)] + (try state.consequences(of: old, deleting: true))
                + (try state.standings(of: old, isDeleted: true)))
    }
}

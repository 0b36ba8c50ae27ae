package import Model

extension Command {
    /// Sets a book's chapters, or deletes them if the draft has none. Any reader may set the first ones; for later ones
    /// see `WriteState.demandCuration`. Anchors for another number of chapters are deleted. Unless chapters are only
    /// renamed, new positions by chapter cannot be compared with earlier ones.
    package static func putChapters(of book: ResourceID, _ draft: BookChaptersDraft) -> Command {
        Command { state, actor throws(RequestError) in
            let book = try state.found(BookTable.find(book, in: state.db))
            let old = try state.query(ChaptersTable.find(key: book.key, in: state.db))
            var new = old ?? Chapters(of: book, createdAt: actor.now)
            if old == nil {
                // After deleted chapters the revisions continue.
                new.revision =
                    try state.query(ComparisonScaleTable.lastRevisionOfChapters(ofBook: book.key, in: state.db)) + 1
            }
            new.chapters = try draft.chapters(over: new.chapters)
            // Without shares, those of another number of chapters are unknown.
            if draft.saysShares || new.chapters.count != old?.chapters.count { new.isEstimated = !draft.saysShares }
            if let old, old.begins != new.begins { new.revision += 1 }
            if let old, new.difference(from: old) != nil { try state.demandCuration(of: book, by: actor.viewer) }
            try actor.precondition.checkReplacement(of: old, by: new)
            let lost: [any CommandChange] = try state.query(EditionTable.all(of: "book", book.key, in: state.db))
                .filter { $0.anchors.map { $0.count != new.chapters.count } ?? false }
                .map { EditionTable.update(of: $0) { $0.anchors = nil } }
            let after = new.chapters.isEmpty ? nil : new
            return CommandDecision(lost + [RowWrite<ChaptersTable>(before: old, after: after)], subject: lost.count)
        }
    }
}

extension WriteState {
    /// Gives a book's chapters their next revision, because an edition's anchors were changed or deleted.
    func revisingChapters(ofBook book: Int64) throws(RequestError) -> [any CommandChange] {
        guard let old = try query(ChaptersTable.find(key: book, in: db)) else { return [] }
        return [ChaptersTable.update(of: old) { $0.revision += 1 }]
    }

    /// Returns the change to a book's chapters after a change of an edition's anchors or measure. The first edition
    /// with anchors measures chapters whose beginnings are only estimated; other editions give the chapters their next
    /// revision.
    func revisingChapters(_ old: Edition, as new: Edition, isMeasured: Bool) throws(RequestError)
        -> [any CommandChange]
    {
        guard new.anchors != nil || old.anchors != nil else { return [] }
        guard let chapters = try query(ChaptersTable.find(key: new.bookKey, in: db)) else {
            throw .violation("/anchors", "needs the chapters of the book first")
        }
        try new.demandAnchors(for: chapters.chapters.count)
        guard old.anchors == nil else {
            return isMeasured || old.anchors != new.anchors ? try revisingChapters(ofBook: new.bookKey) : []
        }
        guard chapters.isEstimated,
            try query(EditionTable.all(of: "book", new.bookKey, in: db)).allSatisfy({ $0.anchors == nil }),
            let measured = chapters.measured(by: new)
        else { return [] }
        return [RowWrite<ChaptersTable>(before: chapters, after: measured)]
    }
}

import JSON
package import Model

extension Command {
    /// Says what a book's chapters are. Any reader may where nobody has; to say them anew, see `WriteState.demandCuration`. Anchors
    /// of another number of chapters end. Unless chapters are only renamed, positions compare by them from now on only with later ones.
    package static func putChapters(of book: ResourceID, _ draft: ChaptersDraft) -> Command {
        Command { state, asker throws(LecternError) in
            let book = try state.found(BookTable.find(book, in: state.db))
            let old = try state.read(ChaptersTable.find(key: book.key, in: state.db))
            var new = old ?? Chapters(of: book, createdAt: asker.now)
            if old == nil { new.revision = try state.nextRevisionOfChapters(ofBook: book.key) }
            new.chapters = try draft.chapters(over: new.chapters)
            if draft.saysShares { new.isEstimated = false }
            if let old, old.begins != new.begins { new.revision += 1 }
            if let old, new.difference(from: old) != nil { try state.demandCuration(of: book, by: asker.viewer) }
            try asker.precondition.check(old)
            let lost = try state.endOfAnchors(ofBook: book.key) { $0.count != new.chapters.count }
            return Decision(lost + [Write<ChaptersTable>(before: old, after: new)], subject: lost.count)
        }
    }

    /// Takes a book's chapters away, and all anchors of them.
    package static func deleteChapters(of book: ResourceID) -> Command {
        Command { state, asker throws(LecternError) in
            let book = try state.found(BookTable.find(book, in: state.db))
            let old = try state.found(ChaptersTable.find(key: book.key, in: state.db))
            try state.demandCuration(of: book, by: asker.viewer)
            try asker.precondition.check(old)
            let anchors = try state.endOfAnchors(ofBook: book.key) { _ in true }
            return Decision(anchors + [Write<ChaptersTable>(before: old, after: nil)], subject: anchors.count)
        }
    }
}

extension WriteState {
    /// The revision of a book's first chapters, or of the next after some that were deleted.
    fileprivate func nextRevisionOfChapters(ofBook book: Int64) throws(LecternError) -> Int64 {
        try read(ScaleTable.lastRevisionOfChapters(ofBook: book, in: db)) + 1
    }

    /// Gives a book's chapters their next revision, because anchors of an edition are others now, or went.
    func revisingChapters(ofBook book: Int64) throws(LecternError) -> [any Proposal] {
        guard let old = try read(ChaptersTable.find(key: book, in: db)) else { return [] }
        var new = old
        new.revision += 1
        return [Write<ChaptersTable>(before: old, after: new)]
    }

    /// Takes away the anchors of a book's editions that match a condition.
    fileprivate func endOfAnchors(
        ofBook book: Int64, where isLost: ([Amount]) -> Bool
    ) throws(LecternError) -> [any Proposal] {
        try read(EditionTable.all(of: book, in: db)).compactMap { old in
            guard let anchors = old.anchors, isLost(anchors) else { return nil }
            var new = old
            new.anchors = nil
            return Write<EditionTable>(before: old, after: new)
        }
    }

    /// Decides what the anchors of an edition, and its measure, make of the book's chapters. The first edition that has anchors measures
    /// chapters of which nobody said where they begin; others give the chapters their next revision.
    func revisingChapters(_ old: Edition, as new: Edition, isMeasured: Bool) throws(LecternError) -> [any Proposal] {
        guard new.anchors != nil || old.anchors != nil else { return [] }
        guard let chapters = try read(ChaptersTable.find(key: new.bookKey, in: db)) else {
            throw .invalid([Violation(pointer: "/anchors", detail: "needs the chapters of the book first")])
        }
        try new.demandAnchors(for: chapters.chapters.count)
        guard old.anchors == nil else {
            return isMeasured || old.anchors != new.anchors ? try revisingChapters(ofBook: new.bookKey) : []
        }
        guard chapters.isEstimated,
            try read(EditionTable.all(of: new.bookKey, in: db)).allSatisfy({ $0.anchors == nil }),
            let measured = chapters.measured(by: new)
        else { return [] }
        return [Write<ChaptersTable>(before: chapters, after: measured)]
    }
}

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
            let anchors = try state.read(AnchorsTable.all(ofBook: book.key, in: state.db))
            let lost = AnchorsTable.ends(of: anchors.filter { $0.begins.count != new.chapters.count })
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
            let anchors = AnchorsTable.ends(of: try state.read(AnchorsTable.all(ofBook: book.key, in: state.db)))
            return Decision(anchors + [Write<ChaptersTable>(before: old, after: nil)], subject: anchors.count)
        }
    }

    /// Says where each chapter begins in an edition. Any reader may where nobody has; to say it anew, who may change the
    /// edition: then the chapters have another revision. The first edition for which it is said measures chapters of which nobody
    /// knew where they begin.
    package static func putAnchors(of edition: ResourceID, _ draft: AnchorsDraft) -> Command {
        Command { state, asker throws(LecternError) in
            let edition = try state.found(EditionTable.find(edition, in: state.db))
            let old = try state.read(AnchorsTable.find(key: edition.key, in: state.db))
            guard let chapters = try state.read(ChaptersTable.find(key: edition.bookKey, in: state.db)) else {
                throw .invalid([Violation(pointer: "/begins", detail: "needs the chapters of the book first")])
            }
            try draft.demand(chapters.chapters.count, in: edition)
            var new = old ?? Anchors(of: edition, createdAt: asker.now)
            new.begins = draft.begins
            let isChange = old.map { new.difference(from: $0) != nil } ?? false
            if isChange { try state.demandCuration(of: edition, by: asker.viewer) }
            try asker.precondition.check(old)
            let chapterWrites =
                isChange
                ? try state.revisingChapters(ofBook: edition.bookKey)
                : old == nil ? try state.measured(chapters, by: edition, new) : []
            return Decision(
                chapterWrites + [Write<AnchorsTable>(before: old, after: new)], subject: chapterWrites.count)
        }
    }

    /// Takes them away. Who may change the edition may.
    package static func deleteAnchors(of edition: ResourceID) -> Command {
        Command { state, asker throws(LecternError) in
            let edition = try state.found(EditionTable.find(edition, in: state.db))
            let old = try state.found(AnchorsTable.find(key: edition.key, in: state.db))
            try state.demandCuration(of: edition, by: asker.viewer)
            try asker.precondition.check(old)
            return Decision(
                [Write<AnchorsTable>(before: old, after: nil)]
                    + (try state.revisingChapters(ofBook: edition.bookKey)))
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

    /// The chapters with the shares that they have in an edition, if it is the first of which that is known and nobody said shares.
    fileprivate func measured(
        _ chapters: Chapters, by edition: Edition, _ anchors: Anchors
    ) throws(LecternError) -> [any Proposal] {
        guard chapters.isEstimated, try read(AnchorsTable.all(ofBook: edition.bookKey, in: db)).isEmpty,
            let new = chapters.measured(by: edition, anchors)
        else { return [] }
        return [Write<ChaptersTable>(before: chapters, after: new)]
    }
}

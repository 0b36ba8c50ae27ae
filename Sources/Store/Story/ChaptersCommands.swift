import JSON
package import Model

extension Command {
    /// Says what a book's chapters are. Any reader may where nobody has; to say them anew, see `WriteState.demandCuration`. Once
    /// something was said by them each must go on to begin where it does. With another number of them anchors say nothing.
    package static func putChapters(of book: ResourceID, _ draft: ChaptersDraft) -> Command {
        Command { state, asker throws(LecternError) in
            let book = try state.found(BookTable.find(book, in: state.db))
            let old = try state.read(ChaptersTable.find(key: book.key, in: state.db))
            var new = old ?? Chapters(of: book, createdAt: asker.now)
            new.chapters = try draft.chapters(over: new.chapters)
            if draft.saysShares { new.isEstimated = false }
            if let old, new.difference(from: old) != nil { try state.demandCuration(of: book, by: asker.viewer) }
            try asker.precondition.check(old)
            if let old, !Set(old.begins).isSubset(of: new.begins) { try state.demandUnusedChapters(of: book) }
            let anchors = try state.read(AnchorsTable.all(ofBook: book.key, in: state.db))
            let lost = AnchorsTable.ends(of: anchors.filter { $0.begins.count != new.chapters.count })
            return Decision(lost + [Write<ChaptersTable>(before: old, after: new)], subject: lost.count)
        }
    }

    /// Takes a book's chapters away, and all anchors of them, while nothing was said by them.
    package static func deleteChapters(of book: ResourceID) -> Command {
        Command { state, asker throws(LecternError) in
            let book = try state.found(BookTable.find(book, in: state.db))
            let old = try state.found(ChaptersTable.find(key: book.key, in: state.db))
            try state.demandCuration(of: book, by: asker.viewer)
            try asker.precondition.check(old)
            try state.demandUnusedChapters(of: book)
            let anchors = AnchorsTable.ends(of: try state.read(AnchorsTable.all(ofBook: book.key, in: state.db)))
            return Decision(anchors + [Write<ChaptersTable>(before: old, after: nil)], subject: anchors.count)
        }
    }

    /// Says where each chapter begins in an edition. Any reader may where nobody has; to say it anew, who may change the
    /// edition. The first edition for which it is said measures chapters of which nobody knew where they begin.
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
            if let old, new.difference(from: old) != nil { try state.demandCuration(of: edition, by: asker.viewer) }
            try asker.precondition.check(old)
            let measured = try old == nil ? state.measured(chapters, by: edition, new) : []
            return Decision(measured + [Write<AnchorsTable>(before: old, after: new)], subject: measured.count)
        }
    }

    /// Takes them away. Who may change the edition may.
    package static func deleteAnchors(of edition: ResourceID) -> Command {
        Command { state, asker throws(LecternError) in
            let edition = try state.found(EditionTable.find(edition, in: state.db))
            let old = try state.found(AnchorsTable.find(key: edition.key, in: state.db))
            try state.demandCuration(of: edition, by: asker.viewer)
            try asker.precondition.check(old)
            return Decision([Write<AnchorsTable>(before: old, after: nil)])
        }
    }
}

extension WriteState {
    fileprivate func demandUnusedChapters(of book: Book) throws(LecternError) {
        guard try !read(Framed.isAny(ofBook: book.key, in: db)) else {
            throw .refused(
                .chaptersInUse,
                "Something was said by these chapters: each goes on to begin where it does. Others may come between them."
            )
        }
    }

    /// The chapters with the shares that they have in an edition, if it is the first of which that is known, nobody said
    /// shares, and nothing was said by them.
    fileprivate func measured(
        _ chapters: Chapters, by edition: Edition, _ anchors: Anchors
    ) throws(LecternError) -> [any Proposal] {
        guard chapters.isEstimated, try read(AnchorsTable.all(ofBook: edition.bookKey, in: db)).isEmpty,
            try !read(Framed.isAny(ofBook: edition.bookKey, in: db)),
            let new = chapters.measured(by: edition, anchors)
        else { return [] }
        return [Write<ChaptersTable>(before: chapters, after: new)]
    }
}

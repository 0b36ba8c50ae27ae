import JSON
import Model

extension WriteState {
    /// By what a place in a book is said: by the edition that it names, or else by that one, or without one by so many pages.
    /// `roundsUp`: whether the end of its chapter must be known, though no edition is.
    func scale(
        of book: Int64, saying position: PositionDraft?, edition: ResourceID?, pageCount: Int32?, roundsUp: Bool = false
    ) throws(LecternError) -> Scale {
        var isByChapter = false
        if case .chapter? = position?.mark { isByChapter = true }
        let named = position?.said?.edition
        // Nothing is read for who says nothing of all that.
        guard named != nil || edition != nil || isByChapter || roundsUp else { return Scale(pageCount: pageCount) }
        let found = try (named ?? edition).flatMap { id throws(LecternError) in
            try read(EditionTable.find(id, in: db)).flatMap { $0.bookKey == book ? $0 : nil }
        }
        if named != nil, found == nil {
            throw .invalid([Violation(pointer: "/at/edition", detail: "is no edition of this book")])
        }
        guard let chapters = try read(ChaptersTable.find(key: book, in: db)) else {
            return Scale(found, pageCount: pageCount, anchors: [], chapters: [])
        }
        let anchors = try read(AnchorsTable.all(ofBook: book, in: db))
        let own = anchors.first { $0.id == found?.id }?.begins ?? []
        var borrowed: (Edition, [Amount])?
        if own.isEmpty, let first = anchors.first, let other = try read(EditionTable.find(first.id, in: db)) {
            borrowed = (other, first.begins)
        }
        return Scale(found, pageCount: pageCount, anchors: own, chapters: chapters.begins, borrowed: borrowed)
    }

    /// An edition of a book that a body names.
    func edition(named id: ResourceID, of book: Int64) throws(LecternError) -> Edition {
        guard let edition = try read(EditionTable.find(id, in: db)), edition.bookKey == book else {
            throw .invalid([Violation(pointer: "/edition", detail: "is no edition of this book")])
        }
        return edition
    }
}

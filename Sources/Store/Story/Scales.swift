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
        let believed = try read(
            found.flatMap { edition throws(SQLiteError) in try MeasureTable.find(edition.key, in: db) })
        guard let chapters = try read(ChaptersTable.find(key: book, in: db)) else {
            return Scale(found, pageCount: pageCount, anchors: [], chapters: [], believed: believed)
        }
        let anchors = try read(AnchorsTable.all(ofBook: book, in: db))
        let own = anchors.first { $0.id == found?.id }?.begins ?? []
        var borrowed: (Edition, [Amount])?
        if own.isEmpty, let first = anchors.first, let other = try read(EditionTable.find(first.id, in: db)) {
            borrowed = (other, first.begins)
        }
        return Scale(
            found, pageCount: pageCount, anchors: own, chapters: chapters.begins, borrowed: borrowed,
            believed: believed)
    }

    /// By what something is said of which only is kept where that was; nil where it was no part of an edition.
    func scale(ofFrame frame: Int64?, inBook book: Int64) throws(LecternError) -> Scale? {
        guard let frame, Place.edition(Place.book(of: frame)) == frame,
            let edition = try read(EditionTable.find(key: Place.book(of: frame), in: db))
        else { return nil }
        return try scale(of: book, saying: nil, edition: edition.id, pageCount: nil)
    }

    /// An edition of a book that a body names.
    func edition(named id: ResourceID, of book: Int64) throws(LecternError) -> Edition {
        guard let edition = try read(EditionTable.find(id, in: db)), edition.bookKey == book else {
            throw .invalid([Violation(pointer: "/edition", detail: "is no edition of this book")])
        }
        return edition
    }
}

/// A fact that raises a reader's marks, until it is taken back.
struct OracleClaim {
    enum Kind {
        /// An entry, or the known part of the book.
        case place(OraclePosition)
        /// The reader has finished the book, or knows all of it.
        case all
        /// The reader moderates a club whose moderators see ahead.
        case sight(club: Int)
    }

    /// The source by which the claim is taken back.
    let source: String
    /// The book, or `nil` for all books.
    let book: Int?
    let kind: Kind
    var until = Int.max

    func reaches(_ note: OracleNote) -> Bool {
        switch kind {
        case .sight(let club): return note.club == club
        case .all: return note.book == book
        case .place(let place):
            guard note.book == book else { return false }
            if place.share >= note.threshold.share { return true }
            guard let exact = note.threshold.exact else { return false }
            return [place.own, place.chapters].contains {
                $0.map { $0.scale == exact.scale && $0.amount >= exact.amount } ?? false
            }
        }
    }
}

/// A note, as it was requested.
struct OracleNote {
    enum Audience: String, CaseIterable {
        case me, moderators, club
    }

    let id: String
    let author: Int
    let book: Int
    var club: Int?
    var audience: Audience
    var threshold: OracleThreshold
    var isNameless = false
    var isGone = false
    /// The note that this one replies to, and the root of its thread.
    var answers: Int?
    var root: Int?
    var body: String
    var entry: String?
}

/// What raises a reader's marks, from when they say it until they take it back.
struct HouseClaim {
    enum Kind {
        /// An entry, or how far they know the book.
        case place(HousePlace)
        /// They have finished the book, or know all of it.
        case all
        /// They moderate a club whose moderators see ahead.
        case sight(club: Int)
    }

    /// What it is taken back by.
    let source: String
    /// Nil for all.
    let book: Int?
    let kind: Kind
    var until = Int.max

    func reaches(_ note: HouseNote) -> Bool {
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

/// A note, as it was asked for.
struct HouseNote {
    enum Audience: String, CaseIterable {
        case me, moderators, club
    }

    let id: String
    let author: Int
    let book: Int
    var club: Int?
    var audience: Audience
    var threshold: HouseThreshold
    var isNameless = false
    var isGone = false
    /// Which note it answers, and with which that began.
    var answers: Int?
    var root: Int?
    var body: String
    var entry: String?
}

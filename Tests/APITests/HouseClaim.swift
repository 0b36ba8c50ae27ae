/// What opens notes to a reader, from when they say it until they take it back.
struct HouseClaim {
    enum Kind {
        /// An entry, or what they know.
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

    func isOn(_ note: HouseNote) -> Bool {
        if case .sight(let club) = kind { return note.club == club }
        return note.book == book
    }

    func mayReach(_ demand: HouseNote.Demand) -> Bool {
        guard case .place(let place) = kind, !place.isEnd else { return true }
        switch demand {
        case .finished: return false
        case .place(let other): return place.mayReach(other)
        case .share(let share): return place.least + HousePlace.grain >= share
        }
    }

    func surelyReaches(_ demand: HouseNote.Demand) -> Bool {
        guard case .place(let place) = kind, !place.isEnd else { return true }
        if case .place(let other) = demand { return place.surelyReaches(other) }
        return false
    }
}

/// A note, as it was asked for.
struct HouseNote {
    enum Audience: String, CaseIterable {
        case me, moderators, club
    }

    /// What its readers must have come to.
    enum Demand {
        case place(HousePlace)
        case finished
        /// It was made to open later.
        case share(Double)
    }

    let id: String
    let author: Int
    let book: Int
    var club: Int?
    var audience: Audience
    /// After which step it was there.
    let made: Int
    /// All of them; none where it is open to all.
    var demands: [Demand]
    /// What its author knows may hold it back further, or no longer than it does.
    var isHeldBack = false
    var isNameless = false
    var isGone = false
    /// Which note it answers, and with which that began.
    var answers: Int?
    var root: Int?
    var body: String
    var entry: String?
}

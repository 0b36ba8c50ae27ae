/// What matches a search, and what it is sorted by.
struct RankedMatch<Item> {
    let item: Item
    let score: Int64
    let place: Int64
    /// As how many rows it counts that are looked at.
    var weight = 1

    /// Whether it comes before another one: the better, then the one that is looked at first.
    static func < (left: RankedMatch, right: RankedMatch) -> Bool {
        left.score != right.score ? left.score > right.score : left.place < right.place
    }
}

/// The sort keys of matches, without their items.
struct RankedPlace {
    let score: Int64
    let place: Int64

    /// The indices of matches in their order. Not generic, so that it is compiled once.
    static func order(of all: [RankedPlace]) -> [Int] {
        all.indices.sorted { index, other in
            let (left, right) = (all[index], all[other])
            return left.score != right.score ? left.score > right.score : left.place < right.place
        }
    }
}

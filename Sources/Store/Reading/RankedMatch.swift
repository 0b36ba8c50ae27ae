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

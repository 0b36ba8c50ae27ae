/// A match of a search, with its sort keys.
struct RankedSearchMatch<Item> {
    let item: Item
    let score: Int64
    let place: Int64
    /// The number of visited rows that the match counts as.
    var weight = 1

    /// Returns a Boolean value indicating whether the left match comes first: by score, then by position.
    static func < (left: RankedSearchMatch, right: RankedSearchMatch) -> Bool {
        left.score != right.score ? left.score > right.score : left.place < right.place
    }
}

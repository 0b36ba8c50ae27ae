/// Places of rows that are looked at from the greatest key on.
enum NewestFirst {
    private static let end: Int64 = 1 << 62

    static func place(ofKey key: Int64) -> Int64 { end - key }

    /// The keys of the places after one and up to another: below the first, and from the second on.
    static func keys(after from: Int64, through last: Int64) -> (below: Int64, from: Int64) {
        (end - from, end - last)
    }
}

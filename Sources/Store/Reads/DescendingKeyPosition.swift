/// The positions of rows that are walked from the greatest key down.
enum DescendingKeyPosition {
    private static let end: Int64 = 1 << 62

    static func place(ofKey key: Int64) -> Int64 { end - key }

    /// Returns the keys for the positions after `from` up to `last`: less than `below`, and at least `from`.
    static func keys(after from: Int64, through last: Int64) -> (below: Int64, from: Int64) {
        (end - from, end - last)
    }
}

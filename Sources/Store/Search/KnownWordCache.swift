/// A cache of words that are in the table of words, so that a book with only such words costs almost nothing. The table
/// is direct-mapped: a new word replaces the one in its place.
///
/// Confined to the writer's thread, and cleared after a rollback.
struct KnownWordCache {
    private static let countMax = 1 << 16
    private var hashes: [UInt64] = []

    func contains(_ hash: UInt64) -> Bool { !hashes.isEmpty && hashes[place(of: hash)] == hash }

    mutating func record(_ hash: UInt64) {
        if hashes.isEmpty { hashes = Array(repeating: 0, count: Self.countMax) }
        hashes[place(of: hash)] = hash
    }

    /// Clears the cache after a rollback.
    mutating func forget() { hashes = [] }

    private func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 40) & (Self.countMax - 1) }
}

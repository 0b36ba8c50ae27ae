/// Words that are known to be in the table of words, so that a book whose words all are costs next to nothing. Few places, each
/// of which the word that was seen last takes.
///
/// Confined to the writer's thread, and told when a transaction is rolled back.
struct KnownWords {
    private static let countMax = 1 << 16
    private var hashes: [UInt64] = []

    func contains(_ hash: UInt64) -> Bool { !hashes.isEmpty && hashes[place(of: hash)] == hash }

    mutating func note(_ hash: UInt64) {
        if hashes.isEmpty { hashes = Array(repeating: 0, count: Self.countMax) }
        hashes[place(of: hash)] = hash
    }

    /// What was noted did not come to be.
    mutating func forget() { hashes = [] }

    private func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 40) & (Self.countMax - 1) }
}

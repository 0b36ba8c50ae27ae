/// How many things are kept of readers, as the open transaction has it: counted once for each, however many lines ask.
///
/// Confined to the writer's thread.
final class KeepsakeCounts {
    private var counts: [Int64: Int64] = [:]
    /// For whom something was kept, one after another.
    private var kept: [Int64] = []

    /// Where it stands, to come back to.
    var mark: Int { kept.count }

    /// How many there are of a reader; `counting` finds out.
    func count(
        ofReader reader: Int64, _ counting: () throws(SQLiteError) -> Int64
    ) throws(SQLiteError) -> Int64 {
        if let known = counts[reader] { return known }
        let count = try counting()
        counts[reader] = count
        return count
    }

    /// One more is kept.
    func add(ofReader reader: Int64) {
        kept.append(reader)
        counts[reader]? += 1
    }

    /// What was kept after the mark is not. It takes back no more than that: or lines that fail would have all counted anew.
    func rewind(to mark: Int) {
        for reader in kept[mark...] { counts[reader]? -= 1 }
        kept.removeSubrange(mark...)
    }

    /// The next transaction begins.
    func forget() {
        guard !counts.isEmpty || !kept.isEmpty else { return }
        counts.removeAll()
        kept.removeAll()
    }
}

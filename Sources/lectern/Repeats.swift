import Model

/// Which books a file may have more than one row of: fingerprints of their ids, for a file has more ids than memory should
/// hold. Two ids of one fingerprint are taken for repeated, which only costs a look.
struct Repeats {
    private var prints: [UInt64] = []

    /// Notes the book of a row.
    mutating func note(_ id: ResourceID) { prints.append(id.low) }

    /// Keeps what was noted twice; nothing is noted afterwards.
    mutating func close() {
        prints.sort()
        var kept: [UInt64] = []
        for place in prints.indices.dropFirst() where prints[place] == prints[place - 1] {
            if kept.last != prints[place] { kept.append(prints[place]) }
        }
        prints = kept
    }

    /// Whether more than one row may be of a book.
    func contains(_ id: ResourceID) -> Bool {
        var range = prints.startIndex..<prints.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if prints[middle] == id.low { return true }
            range = prints[middle] < id.low ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }
}

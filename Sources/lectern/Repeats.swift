import Model

/// The books of which a file has more than one row, and the row that brought each of them first.
///
/// A file has more ids than memory should hold. So the first reading notes a fingerprint of each, and the second remembers the
/// rows of those only that were met twice. Two ids of one fingerprint cost a look, and nothing else.
struct Repeats {
    /// The row that brought a book first.
    private struct First {
        let id: ResourceID
        /// Of what it says.
        let digest: (UInt64, UInt64)
        let line: UInt32
    }

    private var prints: [UInt64] = []
    /// For each fingerprint the first row of its first book, and of its other ones.
    private var firsts: [First?] = []
    private var others: [ResourceID: First] = [:]

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
        firsts = Array(repeating: nil, count: prints.count)
    }

    /// The line of the row before this one that brought the same book, and whether it said the same; nil when there is none.
    mutating func first(_ book: BookColumns.Row, line: Int) -> (line: Int, isSame: Bool)? {
        guard let place = place(of: book.id.low) else { return nil }
        let new = First(id: book.id, digest: Self.digest(of: book.body), line: UInt32(clamping: line))
        guard let known = firsts[place] else {
            firsts[place] = new
            return nil
        }
        let isOther = known.id != book.id
        guard let first = isOther ? others[book.id] : known else {
            others[book.id] = new
            return nil
        }
        return (Int(first.line), first.digest == new.digest)
    }

    /// Half of one: it is kept for each of the books.
    private static func digest(of body: [UInt8]) -> (UInt64, UInt64) {
        let words = SHA256.digest(of: body).words
        return (UInt64(words[0]) << 32 | UInt64(words[1]), UInt64(words[2]) << 32 | UInt64(words[3]))
    }

    private func place(of print: UInt64) -> Int? {
        var range = prints.startIndex..<prints.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if prints[middle] == print { return middle }
            range = prints[middle] < print ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}

import Model

/// The books with more than one row in a file, and the first row of each.
///
/// A file has more ids than memory should hold. Therefore the first reading collects a fingerprint of each id, and the
/// second keeps rows only for fingerprints that occurred twice. Two ids with the same fingerprint cost only a look-up.
struct DuplicateBookRows {
    /// The first row of a book.
    private struct First {
        let id: ResourceID
        /// The digest of the row's book.
        let digest: (UInt64, UInt64)
        let line: UInt32
    }

    private var prints: [UInt64] = []
    /// The first row of each fingerprint's first book. `others` has the first rows of the other books.
    private var firsts: [First?] = []
    private var others: [ResourceID: First] = [:]

    /// Adds the book of a row.
    mutating func note(_ id: ResourceID) { prints.append(id.low) }

    /// Keeps only fingerprints that occurred twice. No books can be added afterwards.
    mutating func close() {
        prints.sort()
        var kept: [UInt64] = []
        for place in prints.indices.dropFirst() where prints[place] == prints[place - 1] {
            if kept.last != prints[place] { kept.append(prints[place]) }
        }
        prints = kept
        firsts = Array(repeating: nil, count: prints.count)
    }

    /// Returns the line of the first earlier row of the same book, and whether the book was equal, or `nil` if there is
    /// none.
    mutating func first(_ book: CSVBookRow, line: Int) -> (line: Int, isSame: Bool)? {
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

    /// Returns half of a digest, to save memory: there is one for each of the books.
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

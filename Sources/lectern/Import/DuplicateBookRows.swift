import Model

/// The first row of each book of a file, which tells whether a later row is for the same book. A million rows take about
/// a hundred megabytes.
struct DuplicateBookRows {
    private var firsts: [ResourceID: (line: Int, digest: SHA256Digest)] = [:]

    /// Returns the line of the first earlier row of the same book, and whether the book was equal, or `nil` if there is
    /// none.
    mutating func first(_ book: CSVBookRow, line: Int) -> (line: Int, isSame: Bool)? {
        let digest = SHA256.digest(of: book.body)
        if let known = firsts[book.id] { return (known.line, known.digest == digest) }
        firsts[book.id] = (line, digest)
        return nil
    }
}

/// The book and scale of a mark.
struct HighWaterMarkKey: Hashable, Comparable {
    let book: Int64
    let scale: Int64

    init(book: Int64, scale: Int64) { (self.book, self.scale) = (book, scale) }

    /// Creates the key of the mark for the plain share of a book.
    init(shareOf book: Int64) { self.init(book: book, scale: 0) }

    /// Creates the key of the mark for all notes of a club. Its value is 1 for a moderator who may see ahead.
    init(aheadIn club: Int64) { self.init(book: 0, scale: -club) }

    static func < (left: HighWaterMarkKey, right: HighWaterMarkKey) -> Bool {
        (left.book, left.scale) < (right.book, right.scale)
    }
}

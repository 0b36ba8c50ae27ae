import Model

/// What a place in a story is exact against, as a number: what entries and notes keep as their frame, and where steps of
/// `reach` hold. The key of a book is the place of what was said of it without an edition, the negative key of a club that of
/// who sees ahead there; the others are beyond any key. What is exact by chapters, or in an edition, counts in billionths, and all
/// else in millionths.
enum Place {
    private static let unit: Int64 = 1 << 60
    static let mask = unit - 1
    /// Billionths for a millionth.
    static let fine = Measure.fine

    /// Of what is known by a book's chapters.
    static func chapters(ofBook key: Int64) -> Int64 { unit | key }

    /// The same in SQL, of an expression for the book's key.
    static func chaptersSQL(ofBook key: String) -> String { "(\(unit) | \(key))" }

    /// Of amounts of one edition.
    static func edition(_ key: Int64) -> Int64 { 2 * unit | key }

    /// Of what holds in every edition of a book.
    static func coarse(ofBook key: Int64) -> Int64 { 3 * unit | key }

    /// The same in SQL, of an expression for the book's key.
    static func coarseSQL(ofBook key: String) -> String { "(\(3 * unit) | \(key))" }

    /// The id of the edition, or of the book, whose place an expression is.
    static func idSQL(of place: String) -> String {
        """
        CASE \(place) & \(~mask) WHEN \(unit) THEN (SELECT id FROM books WHERE key = \(place) & \(mask)) \
        WHEN \(2 * unit) THEN (SELECT id FROM editions WHERE key = \(place) & \(mask)) END
        """
    }
}

extension Scale {
    /// The place of what was placed by it.
    func place(of placed: Placed, inBook book: Int64) -> Int64 {
        switch placed.frame {
        case .unsaid: book
        case .chapters: Place.chapters(ofBook: book)
        case .edition: edition.map { Place.edition($0.key) } ?? book
        }
    }
}

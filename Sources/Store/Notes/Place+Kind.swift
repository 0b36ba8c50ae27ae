extension Place {
    /// What is compared there.
    enum Kind {
        /// What names no edition with what names none, and with where all else opens.
        case book
        /// Amounts of an edition.
        case edition
        /// What is known by chapters.
        case chapters
        /// With where notes open, rounded down.
        case coarse

        init(of place: Int64) {
            self =
                switch place >> shift {
                case 0: .book
                case Place.coarse(ofBook: 0) >> shift: .coarse
                case Place.chapters(ofBook: 0) >> shift: .chapters
                default: .edition
                }
        }
    }

    private static let shift: Int64 = 60

    /// The book of a place that is a book's own, or one for all of its editions; else the edition.
    static func book(of place: Int64) -> Int64 { place & (1 << shift - 1) }
}

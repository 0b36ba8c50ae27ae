extension Rules {
    static let runs = [
        """
        SELECT 'club_books: ' || hex(id) || ' is proposed, and something is planned in it, or somebody reads it along'
        FROM club_books WHERE state = 'proposed' AND (
            EXISTS (SELECT 1 FROM milestones WHERE club_book = club_books.key)
            OR EXISTS (SELECT 1 FROM standings WHERE club_book = club_books.key))
        """,
        """
        SELECT 'club_books: ' || count(*) || ' runs are the first of the book ' || book || ' in the club ' || club
        FROM club_books WHERE is_first = 1 GROUP BY club, book HAVING count(*) > 1
        """,
    ]

    /// What names a run is of it; what names none is of the first run of its book.
    static func ofRuns(_ table: String) -> [String] {
        [
            """
            SELECT '\(table): ' || hex(\(table).id) || ' names another run than it is of' FROM \(table)
            JOIN club_books ON club_books.key = \(table).club_book
            WHERE ifnull(\(table).run <> club_books.id, NOT club_books.is_first)
            """
        ]
    }
}

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

    static let standings = [
        """
        SELECT 'standings: ' || hex(id) || ' is of no reading of its member''s' FROM standings
        WHERE NOT EXISTS (SELECT 1 FROM readings JOIN members ON members.reader = readings.reader
            WHERE readings.id = standings.reading AND members.key = standings.member)
        """,
        // One for moderators may be missing: an import that broke off has not brought it yet.
        """
        SELECT 'standings: ' || hex(standings.id) || ' is for moderators, with whom its member shares nothing apart'
        FROM standings JOIN members ON members.key = standings.member
        WHERE standings.audience = 'moderators' AND members.shares_with_moderators IS NULL
        """,
    ]
}

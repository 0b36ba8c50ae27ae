extension IntegrityRules {
    static let runs = [
        """
        SELECT 'runs: ' || hex(id) || ' is proposed, and something is planned in it, or somebody reads it along'
        FROM runs WHERE state = 'proposed' AND (
            EXISTS (SELECT 1 FROM milestones WHERE milestones.run = runs.key)
            OR EXISTS (SELECT 1 FROM standings WHERE standings.run = runs.key))
        """
    ]

    static let standings = [
        """
        SELECT 'standings: ' || hex(id) || ' is of no reading of its member''s' FROM standings
        WHERE NOT EXISTS (SELECT 1 FROM readings JOIN members ON members.reader = readings.reader
            WHERE readings.id = standings.reading AND members.key = standings.member)
        """,
        """
        SELECT 'moderator_standings: ' || hex(moderator_standings.id) || ' is not of the same reading as the standing'
        FROM moderator_standings LEFT JOIN standings ON standings.id = moderator_standings.id
        WHERE (standings.run, standings.member, standings.reading) IS NOT
            (moderator_standings.run, moderator_standings.member, moderator_standings.reading)
        """,
    ]

    /// Returns the rule that rows show the name of their member, unless a bulk change is in progress.
    static func names(of table: String) -> String {
        """
        SELECT '\(table): ' || hex(\(table).id) || ' shows another name than its member''s'
        FROM \(table) JOIN members ON members.key = \(table).member
        WHERE \(table).name <> members.name
            AND NOT EXISTS (SELECT 1 FROM bulk_changes WHERE kind = 'name' AND subject = members.reader)
        """
    }

    /// Returns the rule that rows show the title of their book, unless a bulk change is in progress.
    static func titles(of table: String, in column: String) -> String {
        """
        SELECT '\(table): ' || hex(\(table).id) || ' shows another title than its book''s'
        FROM \(table) LEFT JOIN books ON books.key = \(table).book
        WHERE \(table).\(column) IS NOT books.title
            AND NOT EXISTS (SELECT 1 FROM bulk_changes WHERE kind = 'title' AND subject = books.key)
        """
    }

    static let bulkChanges = [
        """
        SELECT 'bulk_changes: the ' || kind || ' ' || subject || ' is not there' FROM bulk_changes
        WHERE CASE kind WHEN 'title' THEN NOT EXISTS (SELECT 1 FROM books WHERE key = subject)
            ELSE NOT EXISTS (SELECT 1 FROM readers WHERE key = subject) END
        """
    ]
}

extension Rules {
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
        // One for moderators may be missing: an import that broke off has not brought it yet.
        """
        SELECT 'standings: ' || hex(standings.id) || ' is for moderators, with whom its member shares nothing apart'
        FROM standings JOIN members ON members.key = standings.member
        WHERE standings.audience = 'moderators' AND members.shares_with_moderators IS NULL
        """,
    ]
}

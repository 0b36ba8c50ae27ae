import Model

/// The table of milestones.
enum MilestoneTable: ResourceTable {
    static let rows = TableMapping<Milestone>(
        "milestones",
        joins: """
            milestones JOIN runs ON runs.key = milestones.run JOIN clubs ON clubs.key = runs.club \
            JOIN books ON books.key = runs.book
            """)

    static func scope(of row: Milestone) -> ChangeScope { .club(key: row.clubKey) }

    static let endings = [ending(of: .run, where: "milestones.run = ?1")]

    /// Returns the milestones that are due but not yet marked as due.
    static func due(at now: Instant, limit: Int, in connection: SQLiteConnection) throws(SQLiteError) -> [Milestone] {
        try matching(
            "milestones.is_due = 0 AND milestones.due_at <= ?1 ORDER BY milestones.due_at LIMIT ?2", in: connection
        ).bind(now, Int64(limit)).all(row)
    }
}

import Model

/// The table of milestones.
enum MilestoneTable: ExportedTable {
    static let rows = TableMapping<Milestone>(
        "milestones",
        joins: """
            milestones JOIN runs ON runs.key = milestones.run JOIN clubs ON clubs.key = runs.club \
            JOIN books ON books.key = runs.book
            """)

    static func scope(of row: Milestone) -> ChangeScope { .club(key: row.clubKey) }

    static let endings = [ending(of: .run, where: "milestones.run = ?1")]

    static func complete(_: inout RowImport<Milestone>, _: borrowing WriteState) {}
}

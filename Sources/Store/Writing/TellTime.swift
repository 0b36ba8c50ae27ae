package import Model

/// What the clock makes: a milestone falls due, a meeting begins. Each is said once, because it is kept that it was said;
/// whatever became due while nobody looked is said at the next look.
package struct TellTime: Command {
    /// Milestones, and meetings, of one command; what is left has its turn at the next.
    static let countMax = 100

    let now: Instant

    /// What is due at a moment.
    package init(now: Instant) { self.now = now }

    /// Whether there is anything to say. Costs two looks into two small indices.
    static func isDue(at now: Instant, in connection: Connection) throws(SQLiteError) -> Bool {
        try connection.statement(
            """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM milestones WHERE is_due = 0 AND due_at <= ?1)
                OR EXISTS (SELECT 1 FROM meetings WHERE has_begun = 0 AND starts_at <= ?1)
            """
        ).bind(1, now).first { _ in true } ?? false
    }

    /// Nobody asks for it: the writer does, once a second.
    package func decide(_ state: borrowing WriteState) throws(LecternError) -> Decision {
        let now = now
        let (milestones, meetings) = try state.query { db throws(SQLiteError) in
            (
                try MilestoneTable.due(at: now, limit: Self.countMax, in: db),
                try MeetingTable.due(at: now, limit: Self.countMax, in: db)
            )
        }
        var proposals: [any Proposal] = milestones.map { Write<MilestoneTable>(before: $0, after: Self.due($0)) }
        for book in Set(milestones.map(\.clubBookKey)).sorted() {
            let all = try state.query { db throws(SQLiteError) in try MilestoneTable.all(of: book, in: db) }
            let known = Set(milestones.map(\.id))
            proposals += try state.standings(
                of: .clubBook(book), milestones: all.map { known.contains($0.id) ? Self.due($0) : $0 })
        }
        for meeting in meetings {
            var begun = meeting
            begun.hasBegun = true
            proposals.append(Write<MeetingTable>(before: meeting, after: begun))
        }
        return Decision(proposals)
    }

    private static func due(_ milestone: Milestone) -> Milestone {
        var due = milestone
        due.isDue = true
        return due
    }
}

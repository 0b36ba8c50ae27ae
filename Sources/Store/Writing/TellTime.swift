import Model

extension Command {
    /// What the clock makes: a milestone falls due, a meeting begins. Each is said once, because it is kept that it was said;
    /// whatever became due while nobody looked is said at the next look. Nobody asks for it: the writer does, once a second.
    package static let tellTime = Command { state, asker throws(LecternError) in
        let (due, meetings) = try state.query { db throws(SQLiteError) in
            (
                try MilestoneTable.due(at: asker.now, limit: TellTime.countMax, in: db),
                try MeetingTable.due(at: asker.now, limit: TellTime.countMax, in: db)
            )
        }
        var proposals: [any Proposal] = due.map { Write<MilestoneTable>(before: $0, after: TellTime.due($0)) }
        let known = Set(due.map(\.id))
        for run in Set(due.map(\.runKey)).sorted() {
            let all = try state.read(MilestoneTable.all(of: run, in: state.db))
            proposals += try state.standings(
                ofRun: run, milestones: all.map { known.contains($0.id) ? TellTime.due($0) : $0 })
        }
        for meeting in meetings {
            var begun = meeting
            begun.hasBegun = true
            proposals.append(Write<MeetingTable>(before: meeting, after: begun))
        }
        return Decision(proposals)
    }
}

enum TellTime {
    /// Milestones, and meetings, of one command; what is left has its turn at the next.
    fileprivate static let countMax = 100

    /// Whether there is anything to say. Costs two looks into two small indices.
    static func isDue(at now: Instant, in connection: Connection) throws(SQLiteError) -> Bool {
        try connection.statement(
            """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM milestones WHERE is_due = 0 AND due_at <= ?1)
                OR EXISTS (SELECT 1 FROM meetings WHERE has_begun = 0 AND starts_at <= ?1)
            """
        ).bind(1, now).first { _ in true } ?? false
    }

    fileprivate static func due(_ milestone: Milestone) -> Milestone {
        var due = milestone
        due.isDue = true
        return due
    }
}

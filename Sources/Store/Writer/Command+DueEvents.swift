import Model

extension Command {
    /// The maximum number of milestones, and of meetings, in one command. The next command continues.
    private static let dueEventsMax = 100

    /// The command for due events: milestones that fall due and meetings that begin. Each is logged once, because the
    /// row stores that it was. Events that became due while the server was stopped are logged at the next check. The
    /// writer runs this once a second.
    package static let writeDueEvents = Command { state, actor throws(RequestError) in
        let due = try state.read(
            MilestoneTable.matching(
                "milestones.is_due = 0 AND milestones.due_at <= ?1 ORDER BY milestones.due_at LIMIT ?2", in: state.db
            ).bind(actor.now, dueEventsMax).all(MilestoneTable.row))
        let meetings = try state.read(
            MeetingTable.matching(
                "meetings.has_begun = 0 AND meetings.starts_at <= ?1 ORDER BY meetings.starts_at LIMIT ?2", in: state.db
            ).bind(actor.now, dueEventsMax).all(MeetingTable.row))
        let writes = due.map { MilestoneTable.update(of: $0) { $0.isDue = true } }
        let known = Dictionary(uniqueKeysWithValues: writes.compactMap(\.after).map { ($0.id, $0) })
        var proposals: [any CommandChange] = writes
        for run in Set(due.map(\.runKey)).sorted() {
            let all = try state.read(MilestoneTable.all(of: "run", run, in: state.db))
            proposals += try state.standings(ofRun: run, milestones: all.map { known[$0.id] ?? $0 })
        }
        return CommandDecision(proposals + meetings.map { MeetingTable.update(of: $0) { $0.hasBegun = true } })
    }
}

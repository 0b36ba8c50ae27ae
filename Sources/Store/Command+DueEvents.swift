extension Command {
    /// The commands whose changes the clock causes. The writer runs them once a second. Events that became due while
    /// the server was stopped are logged at the next check.
    package static let dueEvents = [markDueMilestones, beginMeetings, forgetScenes()]

    /// The maximum number of rows that one of these commands changes. The next command continues.
    static let dueEventsMax = 100
}

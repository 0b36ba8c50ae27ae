import Model

/// What a command wants to be true. What is decided elsewhere, such as in another copy of the house, comes in as these too.
protocol Proposal: Sendable {
    /// Writes it, and its change, if it is one. The outcome is that of the resource it is about; nil where it is about none.
    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome?
}

/// When a decision is applied.
struct Moment {
    /// The commit's time.
    let at: Instant
    /// The `seq` of the first change of the command.
    let command: Int64
}

/// What a command decided: its proposals, in the order in which they are to be logged.
struct Decision: Sendable {
    /// In order. A proposal whose two sides are equal changes nothing.
    let proposals: [any Proposal]
    /// Which of them the answer is about.
    let subject: Int

    /// A decision whose answer is about the proposal at `subject`.
    init(_ proposals: [any Proposal], subject: Int = 0) {
        self.proposals = proposals
        self.subject = subject
    }
}

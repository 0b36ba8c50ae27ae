import Model

/// The result of deciding a command: its proposals, in the order in which they are logged.
struct CommandDecision: Sendable {
    /// The proposals, in order. A proposal whose two values are equal changes nothing.
    let proposals: [any CommandChange]
    /// The index of the proposal whose outcome is the command's.
    let subject: Int
    /// The command's outcome if none of its proposals determines it.
    let outcome: CommandOutcome

    /// Creates the decision of a command from the changes to write. The change at the index `subject` determines the
    /// command's outcome.
    init(_ proposals: [any CommandChange], subject: Int = 0) {
        (self.proposals, self.subject, outcome) = (proposals, subject, CommandOutcome(effect: nil))
    }

    /// Creates the decision of a command whose outcome is not that of a proposal.
    init(_ proposals: [any CommandChange], outcome: CommandOutcome) {
        (self.proposals, self.subject, self.outcome) = (proposals, -1, outcome)
    }
}

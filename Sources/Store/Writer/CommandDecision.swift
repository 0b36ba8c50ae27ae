import Model

/// The result of deciding a command: its changes, in the order in which they are logged.
struct CommandDecision: Sendable {
    /// The changes, in order. A change whose two values are equal changes nothing.
    let changes: [any CommandChange]
    /// The index of the change whose outcome is the command's.
    let subject: Int
    /// The command's outcome if none of its changes determines it.
    let outcome: CommandOutcome

    /// Creates the decision of a command from the changes to write. The change at the index `subject` determines the
    /// command's outcome.
    init(_ changes: [any CommandChange], subject: Int = 0) {
        (self.changes, self.subject, outcome) = (changes, subject, CommandOutcome(effect: nil))
    }

    /// Creates the decision of a command whose outcome is not that of a change.
    init(_ changes: [any CommandChange], outcome: CommandOutcome) {
        (self.changes, self.subject, self.outcome) = (changes, -1, outcome)
    }
}

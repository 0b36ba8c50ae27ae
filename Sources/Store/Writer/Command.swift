import Model

/// A request to change the state. It reads the current state, checks rights and rules, and returns the changes, which the
/// store applies. The writer thread decides it inside the transaction that will contain its changes.
package struct Command: Sendable {
    /// Decides the changes or throws the reason for refusing. When a transaction is repeated, this is called again
    /// and must return the same.
    let decide: @Sendable (borrowing WriteState, CommandActor) throws(RequestError) -> CommandDecision
    /// The commands of a batch, or `nil` for a single command.
    let batch: Batch?
    /// A Boolean value indicating whether the command imports a line of an export.
    let isImport: Bool

    init(
        batch: Batch? = nil, isImport: Bool = false,
        decide: @escaping @Sendable (borrowing WriteState, CommandActor) throws(RequestError) -> CommandDecision
    ) {
        (self.decide, self.batch, self.isImport) = (decide, batch, isImport)
    }

    /// Returns the command that deletes the row that `find` returns or throws for, after the rows that are part of it; see
    /// `ResourceEnding`.
    static func deletion<Stored: ResourceTable>(
        _: Stored.Type,
        _ find: @escaping @Sendable (borrowing WriteState, CommandActor) throws(RequestError) -> Stored.Row
    ) -> Command {
        Command { state, actor throws(RequestError) in
            let old = try find(state, actor)
            try actor.precondition.check(old)
            let parts = try state.query(StoredTable.changes(atEndOf: Stored.Row.kind, old.key, in: state.db))
            return CommandDecision(parts + [RowWrite<Stored>(before: old, after: nil)], subject: parts.count)
        }
    }

    /// Returns the command for administrators only. In a batch, a line can end the role for those after it.
    package func forAdministrators() -> Command {
        Command { [decide] state, actor throws(RequestError) in
            try actor.viewer.demandAdministrator()
            return try decide(state, actor)
        }
    }
}

import Model

/// The proposal to run a statement that writes rows without an event.
struct UnloggedWrite: CommandChange {
    private let prepare: @Sendable (SQLiteConnection) throws(SQLiteError) -> SQLiteStatement
    private let values: [any SQLBindable]

    /// Creates a proposal from a statement and the values of its parameters, in their order.
    init(_ sql: StaticString, _ values: any SQLBindable...) {
        prepare = { connection throws(SQLiteError) in try connection.statement(sql) }
        self.values = values
    }

    /// Creates a proposal from a composed statement and the values of its parameters, in their order.
    init(_ sql: SQLText, _ values: [any SQLBindable]) {
        prepare = { connection throws(SQLiteError) in try connection.statement(sql) }
        self.values = values
    }

    func apply(to transaction: inout WriteTransaction) throws(SQLiteError) -> CommandOutcome? {
        try prepare(transaction.connection).bind(values).run()
        return nil
    }
}

extension CommandOutcome {
    /// The outcome of a command that concerns no resource.
    static let none = CommandOutcome(kind: .token, id: .zero, version: 0, value: nil, effect: nil)

    /// The outcome of creating something that is not a resource.
    static let unloggedCreation = CommandOutcome(kind: .token, id: .zero, version: 0, value: nil, effect: .created)

    /// Returns the outcome of a change to a reader's ways to sign in, which no representation shows.
    static func account(of reader: ResourceID, _ effect: ChangeOperation) -> CommandOutcome {
        CommandOutcome(kind: .reader, id: reader, version: 0, value: nil, effect: effect)
    }
}

import Model

/// A statement that writes rows without an event.
struct UnloggedWrite: CommandChange {
    private let prepare: @Sendable (SQLiteConnection) throws(SQLiteError) -> SQLiteStatement
    private let values: [any SQLBindable]

    /// Creates a change from a statement and the values of its parameters, in their order.
    init(_ sql: StaticString, _ values: any SQLBindable...) {
        prepare = { connection throws(SQLiteError) in try connection.statement(sql) }
        self.values = values
    }

    /// Creates a change from a composed statement and the values of its parameters, in their order.
    init(_ sql: SQLText, _ values: [any SQLBindable]) {
        prepare = { connection throws(SQLiteError) in try connection.statement(sql) }
        self.values = values
    }

    func apply(to transaction: inout WriteTransaction) throws(SQLiteError) -> CommandOutcome? {
        try prepare(transaction.connection).bind(values).run()
        return nil
    }
}

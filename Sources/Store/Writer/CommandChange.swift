/// A change that a command or an import decides on, and the writer applies.
protocol CommandChange: Sendable {
    /// Writes the row, and its change if it is logged. Returns the outcome for the resource, or `nil` if there is none.
    func apply(to transaction: inout WriteTransaction) throws(SQLiteError) -> CommandOutcome?
}

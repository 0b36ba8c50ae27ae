import Model

/// The proposal that stores the day of a token's use. It is not logged as a change.
struct TokenUseRecord: ProposedChange {
    let token: ResourceID
    /// The day, in days since 1970-01-01.
    let day: Int64

    func apply(to transaction: inout WriteTransaction, _ moment: ChangeMoment) throws(SQLiteError) -> CommandOutcome? {
        try TokenTable.touch(token, day: day, in: transaction.connection)
        transaction.noteSilentWrite()
        return nil
    }
}

import Model

/// The day a token was used: kept, but no change that anybody watches.
struct TokenUse: Proposal {
    let token: ResourceID
    /// Counted from 1970-01-01.
    let day: Int64

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        try TokenTable.touch(token, day: day, in: application.connection)
        application.noteSilentWrite()
        return nil
    }
}

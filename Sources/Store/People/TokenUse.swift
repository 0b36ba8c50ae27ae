import Model

/// The proposal that stores the day of a token's use. It is not logged as a change.
struct TokenUse: Proposal {
    let token: ResourceID
    /// The day, in days since 1970-01-01.
    let day: Int64

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        try TokenTable.touch(token, day: day, in: application.connection)
        application.noteSilentWrite()
        return nil
    }
}

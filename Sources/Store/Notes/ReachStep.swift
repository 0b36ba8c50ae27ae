import Model

/// How far a reader is at a place (see the table `reach`): kept, but no change that anybody watches.
struct ReachStep: Proposal {
    let reader: Int64
    let place: Int64
    let to: Int64

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        try Reach.step(reader, place, to: to, at: application.log.nextSeq, in: application.connection)
        application.noteSilentWrite()
        return nil
    }
}

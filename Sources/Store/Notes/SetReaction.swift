import Model

/// A reader has a reaction to a note, or has it no longer: the note's counts are a change of the note.
struct SetReaction: Proposal {
    let reaction: Reaction
    let isThere: Bool
    let note: Int64
    let reader: Int64

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        try ReactionTable.set(reaction, isThere, note: note, reader: reader, in: application.connection)
        application.noteSilentWrite()
        return nil
    }
}

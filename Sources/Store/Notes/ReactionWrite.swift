import Model

/// The proposal that adds or removes a reader's reaction. The note's counts are changed separately.
struct ReactionWrite: ProposedChange {
    let reaction: NoteReaction
    let isThere: Bool
    let note: Int64
    let reader: Int64

    func apply(to transaction: inout WriteTransaction, _ moment: ChangeMoment) throws(SQLiteError) -> CommandOutcome? {
        try ReactionTable.set(reaction, isThere, note: note, reader: reader, in: transaction.connection)
        transaction.noteSilentWrite()
        return nil
    }
}

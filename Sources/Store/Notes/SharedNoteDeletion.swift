import Model

/// The deletion, with its club, of a note that was private before it was shared there. Its author is told, because the
/// log of their own changes has its creation.
struct SharedNoteDeletion: CommandChange {
    let note: Note

    func apply(to transaction: inout WriteTransaction) throws(SQLiteError) -> CommandOutcome? {
        var last = note
        last.forgetWords()
        return try transaction.record(
            last, .deleted, scope: .reader(key: note.authorKey), value: nil, before: last.encoded())
    }
}

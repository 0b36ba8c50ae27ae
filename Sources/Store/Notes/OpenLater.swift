import Model

/// A note opens later of which it is not told where: nothing that is sent of it becomes another. It comes before what else is
/// written of the note.
struct OpenLater: Proposal {
    private let note: Note

    init(_ old: Note, _ opening: Opening) {
        var note = old
        note.opening = opening
        self.note = note
    }

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        try NoteTable.rows.update(note, changed: Note.fieldsOfOpening, in: application.connection)
        application.noteSilentWrite()
        return nil
    }
}

extension WriteState {
    /// What is kept of a note that opens elsewhere than before, and does not tell.
    func quiet(_ old: Note, _ new: Note) -> [any Proposal] {
        new.isReticent && new.opening != old.opening ? [OpenLater(old, new.opening)] : []
    }
}

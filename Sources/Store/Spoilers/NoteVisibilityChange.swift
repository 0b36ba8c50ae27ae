import JSON
import Model

/// The notes of a club, by key, that become visible or invisible to a member, in this order.
///
/// They are one row of the log that contains only their keys; `ReadConnection.visibilityChanges` adds the notes' values for the
/// member. A row with a value for each note would cost more than the rest of an entry.
struct NoteVisibilityChange: CommandChange {
    private(set) var notes: [Int64]
    let club: Int64
    let reader: Int64
    /// `unlocked`, or the reason why the notes become invisible.
    let operation: ChangeOperation

    func apply(to transaction: inout WriteTransaction) throws(SQLiteError) -> CommandOutcome? {
        var json = JSONWriter(capacity: 8 * notes.count + 16)
        json.value(notes)
        try transaction.record(
            Change(
                seq: transaction.nextSeq, transaction: transaction.firstSeq, at: transaction.now, kind: .note,
                id: .zero, scope: .club(key: club, only: reader),
                operation: operation, changed: [], value: json.bytes, before: nil))
        return nil
    }

    // MARK: Rows of the log

    /// The maximum number of notes in one row of the log.
    private static let notesMax = 32

    /// Returns the changes for any number of notes of clubs, in order.
    static func changes(
        of notes: [(club: Int64, key: Int64)], for reader: Int64, _ operation: ChangeOperation
    ) -> [NoteVisibilityChange] {
        var changes: [NoteVisibilityChange] = []
        // The index of the last change of each club.
        var open: [Int64: Int] = [:]
        for note in notes {
            if let index = open[note.club], changes[index].notes.count < notesMax {
                changes[index].notes.append(note.key)
            } else {
                open[note.club] = changes.count
                changes.append(
                    NoteVisibilityChange(notes: [note.key], club: note.club, reader: reader, operation: operation))
            }
        }
        return changes
    }

    /// Returns the changes for any number of notes of a club.
    static func changes(
        of notes: [Int64], in club: Int64, for reader: Int64, _ operation: ChangeOperation = .unlocked
    ) -> [any CommandChange] {
        changes(of: notes.map { (club, $0) }, for: reader, operation)
    }
}

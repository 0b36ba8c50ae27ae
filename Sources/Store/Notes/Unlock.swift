import JSON
import Model

/// Notes of a club, by key, come into a member's sight, or go out of it, in this order.
///
/// All of them are one row of the log, which only names them: who is told makes of it what the notes were (see
/// `ReadConnection.unlocked`). A row with its value for each would cost more than all the rest of an entry.
struct Unlock: Proposal {
    let notes: [Int64]
    let club: Int64
    let reader: Int64
    /// Whether they go.
    var isHidden = false

    /// The member of a row's value that names notes which go: the log knows only one operation for both.
    static let hidden: StaticString = "hidden"

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        var json = JSONWriter(capacity: 8 * notes.count)
        if isHidden {
            json.beginObject()
            json.name(Self.hidden)
        }
        json.beginArray()
        for note in notes { json.integer(note) }
        json.endArray()
        if isHidden { json.endObject() }
        try application.note(
            Change(
                seq: application.log.nextSeq, transaction: moment.command, at: moment.at, kind: .note,
                id: ResourceID(high: 0, low: 0), scope: .club(key: club, only: reader),
                operation: isHidden ? .hidden : .unlocked,
                changed: [], value: json.bytes, before: nil))
        return nil
    }
}

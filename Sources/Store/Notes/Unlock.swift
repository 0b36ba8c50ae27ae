import JSON
import Model

/// Notes of a club, by key, come into a member's sight, in this order.
///
/// All of them are one row of the log, which only names them: who is told makes of it what the notes were (see
/// `ReadConnection.unlocked`). A row with its value for each would cost more than all the rest of an entry.
struct Unlock: Proposal {
    let notes: [Int64]
    let club: Int64
    let reader: Int64

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        var json = JSONWriter(capacity: 8 * notes.count)
        json.beginArray()
        for note in notes { json.integer(note) }
        json.endArray()
        try application.note(
            Change(
                seq: application.log.nextSeq, transaction: moment.command, at: moment.at, kind: .note,
                id: ResourceID(high: 0, low: 0), scope: .club(key: club, only: reader), operation: .unlocked,
                changed: [], value: json.bytes, before: nil))
        return nil
    }
}

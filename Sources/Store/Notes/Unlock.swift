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
    /// Nil where they come.
    let going: Going?

    /// Why they go: the member of a row's value that names them, for the log knows only one operation for all.
    enum Going: String, CaseIterable {
        /// Their author is one whom the reader blocks.
        case hidden
        /// They open later than they did.
        case moved

        var operation: ChangeOperation { self == .hidden ? .hidden : .raised }
    }

    init(notes: [Int64], club: Int64, reader: Int64, isHidden: Bool = false) {
        self.init(notes: notes, club: club, reader: reader, going: isHidden ? .hidden : nil)
    }

    init(notes: [Int64], club: Int64, reader: Int64, going: Going?) {
        (self.notes, self.club, self.reader, self.going) = (notes, club, reader, going)
    }

    /// What a row of the log that says `unlocked` is.
    static func operation(of value: [UInt8]?) -> ChangeOperation {
        guard let value, value.first == UInt8(ascii: "{") else { return .unlocked }
        return value.starts(with: Array("{\"\(Going.moved.rawValue)\"".utf8)) ? .raised : .hidden
    }

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        var json = JSONWriter(capacity: 8 * notes.count + 16)
        if let going {
            json.beginObject()
            switch going {
            case .hidden: json.name("hidden")
            case .moved: json.name("moved")
            }
        }
        json.beginArray()
        for note in notes { json.integer(note) }
        json.endArray()
        if going != nil { json.endObject() }
        try application.note(
            Change(
                seq: application.log.nextSeq, transaction: moment.command, at: moment.at, kind: .note,
                id: ResourceID(high: 0, low: 0), scope: .club(key: club, only: reader),
                operation: going?.operation ?? .unlocked, changed: [], value: json.bytes, before: nil))
        return nil
    }
}

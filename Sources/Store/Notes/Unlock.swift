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
    /// Why the notes go out of sight; nil if they come into it.
    let reason: Reason?

    /// Why notes go out of sight. A row of the log says it as the member that names the notes, for the log has one operation for all.
    enum Reason: String, CaseIterable {
        /// They are not for the reader: of a blocked author, or for moderators.
        case hidden
        /// Their threshold was raised.
        case raised
        /// What reached their threshold was undone.
        case undone

        var operation: ChangeOperation {
            switch self {
            case .hidden: .hidden
            case .raised: .raised
            case .undone: .undone
            }
        }

        fileprivate var member: StaticString {
            switch self {
            case .hidden: "hidden"
            case .raised: "raised"
            case .undone: "undone"
            }
        }
    }

    init(notes: [Int64], club: Int64, reader: Int64, leaving reason: Reason? = nil) {
        (self.notes, self.club, self.reader, self.reason) = (notes, club, reader, reason)
    }

    /// What a row of the log that says `unlocked` is.
    static func operation(of value: [UInt8]?) -> ChangeOperation {
        guard let value, value.first == UInt8(ascii: "{") else { return .unlocked }
        return Reason.allCases.first { value.starts(with: "{\"\($0.rawValue)\"".utf8) }?.operation ?? .hidden
    }

    func apply(to application: inout Application, _ moment: Moment) throws(SQLiteError) -> Outcome? {
        var json = JSONWriter(capacity: 8 * notes.count + 16)
        if let reason {
            json.beginObject()
            json.name(reason.member)
        }
        json.beginArray()
        for note in notes { json.integer(note) }
        json.endArray()
        if reason != nil { json.endObject() }
        try application.note(
            Change(
                seq: application.log.nextSeq, transaction: moment.command, at: moment.at, kind: .note,
                id: ResourceID(high: 0, low: 0), scope: .club(key: club, only: reader),
                operation: reason?.operation ?? .unlocked, changed: [], value: json.bytes, before: nil))
        return nil
    }

    // MARK: Rows of the log

    /// Notes that one row of the log names.
    private static let notesMax = 32

    /// The notes' keys by their clubs, in this order, so many together.
    static func groups(of notes: [PassedNotes.Found]) -> [(club: Int64, notes: [Int64])] {
        var groups: [(club: Int64, notes: [Int64])] = []
        var open: [Int64: Int] = [:]
        for note in notes {
            if let index = open[note.club], groups[index].notes.count < notesMax {
                groups[index].notes.append(note.key)
            } else {
                open[note.club] = groups.count
                groups.append((note.club, [note.key]))
            }
        }
        return groups
    }

    /// So many notes of a club together.
    static func slices(of notes: [Int64]) -> [[Int64]] {
        stride(from: 0, to: notes.count, by: notesMax).map { Array(notes[$0..<min($0 + notesMax, notes.count)]) }
    }
}

import JSON
import Model

/// The notes of a club, by key, that become visible or invisible to a member, in this order.
///
/// They are one row of the log that contains only their keys; `ReadConnection.unlocked` adds the notes' values for the
/// member. A row with a value for each note would cost more than the rest of an entry.
struct NoteVisibilityChange: CommandChange {
    let notes: [Int64]
    let club: Int64
    let reader: Int64
    /// The reason why the notes become invisible, or `nil` if they become visible.
    let reason: NoteHidingReason?

    init(notes: [Int64], club: Int64, reader: Int64, leaving reason: NoteHidingReason? = nil) {
        (self.notes, self.club, self.reader, self.reason) = (notes, club, reader, reason)
    }

    /// Returns the operation of a row of the log that is stored as `unlocked`.
    static func operation(of value: [UInt8]?) -> ChangeOperation {
        guard let value, value.first == UInt8(ascii: "{") else { return .unlocked }
        return NoteHidingReason.allCases.first { value.starts(with: "{\"\($0.rawValue)\"".utf8) }?.operation ?? .hidden
    }

    func apply(to transaction: inout WriteTransaction, _ moment: ChangeMoment) throws(SQLiteError) -> CommandOutcome? {
        var json = JSONWriter(capacity: 8 * notes.count + 16)
        if let reason {
            json.beginObject()
            json.name(reason.member)
        }
        json.beginArray()
        for note in notes { json.integer(note) }
        json.endArray()
        if reason != nil { json.endObject() }
        try transaction.record(
            Change(
                seq: transaction.log.nextSeq, transaction: moment.command, at: moment.at, kind: .note,
                id: ResourceID(high: 0, low: 0), scope: .club(key: club, only: reader),
                operation: reason?.operation ?? .unlocked, changed: [], value: json.bytes, before: nil))
        return nil
    }

    // MARK: Rows of the log

    /// The maximum number of notes in one row of the log.
    private static let notesMax = 32

    /// Returns the keys in groups of one club each, in order.
    static func groups(of notes: [NotesPassedByMark.PassedNote]) -> [(club: Int64, notes: [Int64])] {
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

    /// Returns the notes of a club in groups for one row each.
    static func slices(of notes: [Int64]) -> [[Int64]] {
        stride(from: 0, to: notes.count, by: notesMax).map { Array(notes[$0..<min($0 + notesMax, notes.count)]) }
    }
}

/// The reason why notes become invisible. In the log it is the name of the member with the keys, because all have
/// the same operation.
enum NoteHidingReason: String, CaseIterable {
    /// The reader is not in the notes' audience: the author is blocked, or the notes are for moderators.
    case hidden
    /// Their threshold was raised.
    case raised
    /// The progress that reached the notes' threshold was undone.
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

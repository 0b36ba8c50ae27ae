/// The kinds of resource that the log speaks of. The raw values are stored: never reuse one.
public enum ResourceKind: UInt8, Sendable, CaseIterable, Hashable {
    case reader = 1
    case token = 2
    case book = 3
    case reading = 4
    case entry = 5
    /// A projection of a reading and its book: it has events, but no row and no log entry of its own.
    case card = 6
    case club = 7
    case member = 8
    case note = 9
    case invitation = 10
    /// What a reader hears of their own coming and going: it has events, but no row.
    case membership = 11
    case clubBook = 12
    case milestone = 13
    case standing = 14
    case meeting = 15
    case attendance = 16
    case calendar = 17
    case listing = 18
    case joinRequest = 19
    case removal = 20

    /// The name that events and messages use.
    public var name: StaticString {
        switch self {
        case .reader: "reader"
        case .token: "token"
        case .book: "book"
        case .reading: "reading"
        case .entry: "entry"
        case .card: "card"
        case .club: "club"
        case .member: "member"
        case .note: "note"
        case .invitation: "invitation"
        case .membership: "membership"
        case .clubBook: "clubBook"
        case .milestone: "milestone"
        case .standing: "standing"
        case .meeting: "meeting"
        case .attendance: "attendance"
        case .calendar: "calendar"
        case .listing: "listing"
        case .joinRequest: "joinRequest"
        case .removal: "removal"
        }
    }

    /// The names of the kind's fields, in the order of their indices.
    public var fieldNames: [StaticString] {
        switch self {
        case .reader: Reader.fieldNames
        case .token: Token.fieldNames
        case .book: Book.fieldNames
        case .reading: Reading.fieldNames
        case .entry: Entry.fieldNames
        case .card: Card.fieldNames
        case .club: Club.fieldNames
        case .member: Member.fieldNames
        case .note: Note.fieldNames
        case .invitation: Invitation.fieldNames
        case .membership: Membership.fieldNames
        case .clubBook: ClubBook.fieldNames
        case .milestone: Milestone.fieldNames
        case .standing: Standing.fieldNames
        case .meeting: Meeting.fieldNames
        case .attendance: Attendance.fieldNames
        case .calendar: Calendar.fieldNames
        case .listing: Listing.fieldNames
        case .joinRequest: JoinRequest.fieldNames
        case .removal: Removal.fieldNames
        }
    }

    /// The set of the fields with these names; nil when one of them is not a field that can change.
    public func fields(named names: some Sequence<some StringProtocol>) -> FieldSet? {
        var set = FieldSet()
        for name in names {
            guard let index = fieldNames.firstIndex(where: { $0.description == name }) else { return nil }
            set.insert(FieldSet(index: index))
        }
        return set
    }
}

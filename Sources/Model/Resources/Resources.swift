/// The list of all kinds of resource. A test compares it with the tables.
public enum Resources {
    /// The types of the resources, by the names of their kinds in events and messages.
    private static let named: [(name: String, type: any Resource.Type)] = [
        ("reader", Reader.self), ("token", Token.self), ("book", Book.self), ("reading", Reading.self),
        ("entry", Entry.self), ("card", BookCard.self), ("club", Club.self), ("member", Member.self),
        ("note", Note.self), ("invitation", Invitation.self), ("membership", OwnMembership.self), ("run", ClubRun.self),
        ("milestone", Milestone.self), ("standing", Standing.self), ("meeting", Meeting.self),
        ("attendance", MeetingAttendance.self), ("calendar", CalendarAddress.self), ("listing", ClubListing.self),
        ("joinRequest", JoinRequest.self), ("removal", MemberRemoval.self), ("shelf", Shelf.self),
        ("shelfBook", ShelfBook.self), ("settings", Settings.self), ("scene", ClientScene.self),
        ("stream", NamedStream.self), ("link", OneTimeLink.self), ("block", ReaderBlock.self),
        ("report", ContentReport.self), ("edition", Edition.self), ("chapters", Chapters.self),
        ("knowledge", PriorKnowledge.self), ("standing", ModeratorStanding.self), ("rating", Rating.self),
    ]

    public static let all: [any Resource.Type] = named.map { $0.type }

    /// The names by the kinds' numbers, because each change looks them up.
    fileprivate static let known: [(name: String, fields: [StaticString])] = {
        var known = [(name: String, fields: [StaticString])](repeating: ("", []), count: Int(UInt8.max) + 1)
        for (name, resource) in named { known[Int(resource.kind.rawValue)] = (name, resource.fieldNames) }
        return known
    }()
}

extension Resource {
    fileprivate static var fieldNames: [StaticString] { fields.names }
}

extension ResourceKind: RawRepresentable, CaseIterable, CustomStringConvertible {
    /// Creates the kind with a number, or returns `nil` if no resource has it.
    public init?(rawValue: UInt8) {
        self.init(number: rawValue)
        if name.isEmpty { return nil }
    }

    public static let allCases: [ResourceKind] = Resources.all.map { $0.kind }

    /// The name in events and messages.
    public var name: String { Resources.known[Int(rawValue)].name }

    /// The names of the fields, in the order of their indices.
    public var fieldNames: [StaticString] { Resources.known[Int(rawValue)].fields }

    public var description: String { name }
}

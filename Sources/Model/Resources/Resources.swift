/// The list of all kinds of resource. A test compares it with `ResourceKind` and with the tables.
public enum Resources {
    public static let all: [any Resource.Type] = [
        Reader.self, Token.self, Book.self, Reading.self, Entry.self, BookCard.self, Club.self, Member.self, Note.self,
        Invitation.self, OwnMembership.self, ClubRun.self, Milestone.self, Standing.self, Meeting.self,
        MeetingAttendance.self,
        CalendarAddress.self, ClubListing.self, JoinRequest.self, MemberRemoval.self, Shelf.self, ShelfBook.self,
        Settings.self, ClientScene.self, Stream.self, OneTimeLink.self, ReaderBlock.self, ContentReport.self,
        Edition.self, Chapters.self, PriorKnowledge.self,
        ModeratorStanding.self, Rating.self,
    ]

    /// The names by the kinds' raw values, because each change looks them up.
    fileprivate static let known: [(name: String, fields: [StaticString])] = {
        let count = (ResourceKind.allCases.map { Int($0.rawValue) }.max() ?? 0) + 1
        var known = [(name: String, fields: [StaticString])](repeating: ("", []), count: count)
        for resource in all {
            let called = resource.kind == .moderatorStanding ? ResourceKind.standing : resource.kind
            known[Int(resource.kind.rawValue)] = (String(describing: called), resource.fieldNames)
        }
        return known
    }()
}

extension Resource {
    fileprivate static var fieldNames: [StaticString] { fields.names }
}

extension ResourceKind {
    /// The name in events and messages.
    public var name: String { Resources.known[Int(rawValue)].name }

    /// The names of the fields, in the order of their indices.
    public var fieldNames: [StaticString] { Resources.known[Int(rawValue)].fields }
}

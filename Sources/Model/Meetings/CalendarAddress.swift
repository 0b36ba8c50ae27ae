/// The secret address of a club's calendar for one member's programs. It is deleted with the membership.
public struct CalendarAddress: Resource {
    public static let kind = ResourceKind.calendar
    public static let fields = ResourceFields<CalendarAddress>([
        .joined("club", from: "clubs.id", { $0.club }, { $0.club = $1 }),
        .unsent("member", .fixed, { $0.memberKey }, { $0.memberKey = $1 }),
        .unsent("members.reader", .joined, { $0.readerKey }, { $0.readerKey = $1 }),
        .unsent("digest", .fixed, isRead: false, { $0.digest }, { $0.digest = $1 }),
    ])

    public var identity: CommonResourceFields
    public private(set) var club = ResourceID.zero
    public private(set) var memberKey: Int64 = 0
    public private(set) var readerKey: Int64 = 0
    /// The digest of the secret, set only on a new calendar. It is stored and never read back.
    public var digest: SHA256Digest?

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    public init(id: ResourceID, club: ResourceID, member: (key: Int64, readerKey: Int64), createdAt: Instant) {
        self.init(CommonResourceFields(id: id, createdAt: createdAt))
        self.club = club
        (memberKey, readerKey) = member
    }
}

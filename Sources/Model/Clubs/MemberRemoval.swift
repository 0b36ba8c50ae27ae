/// The removal of a reader from a club, which makes its invitations invalid for them. It ends when a moderator lifts
/// it, or accepts the reader's join request.
public struct MemberRemoval: Resource {
    public static let kind = ResourceKind.removal
    public static let fields = ResourceFields<MemberRemoval>([
        .link("club", { $0.club }, { $0.club = $1 }, key: { $0.clubKey }, { $0.clubKey = $1 }),
        .link("reader", { $0.reader }, { $0.reader = $1 }, key: { $0.readerKey }, { $0.readerKey = $1 }),
        .fixed("name", { $0.name }, { $0.name = $1 }).required(),
        .fixed("isBanned", { $0.isBanned }, { $0.isBanned = $1 }),
    ])

    public var identity: CommonResourceFields
    public private(set) var club = ResourceID.zero
    public private(set) var clubKey: Int64 = 0
    public private(set) var reader = ResourceID.zero
    public private(set) var readerKey: Int64 = 0
    /// The reader's name in the club.
    public private(set) var name = ""
    /// A Boolean value indicating whether the reader may not send a join request either.
    public private(set) var isBanned = false

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    public init(id: ResourceID, of member: Member, isBanned: Bool, createdAt: Instant) {
        self.init(CommonResourceFields(id, madeAt: createdAt))
        (club, clubKey) = (member.club, member.clubKey)
        (reader, readerKey) = (member.reader, member.readerKey)
        name = member.name
        self.isBanned = isBanned
    }
}

public import JSON

/// A reader's membership in a club.
public struct Member: Resource {
    /// The amount of a member's progress that others see. The raw values are stored and sent.
    public enum Sharing: String, StorableValue, CaseIterable {
        case exact
        /// The last milestone that was reached.
        case milestones
        /// Only whether the book is finished.
        case finished
        case nothing

        /// Returns the one of two that shows others more.
        public func wider(_ other: Sharing) -> Sharing { narrower(other) == self ? other : self }

        /// Returns the one of two that shows others less.
        public func narrower(_ other: Sharing) -> Sharing {
            let all = Self.allCases
            return all.firstIndex(of: self) ?? 0 > all.firstIndex(of: other) ?? 0 ? self : other
        }
    }

    public static let kind = ResourceKind.member
    public static let fields = ResourceFields<Member>([
        .link("club", { $0.club }, { $0.club = $1 }, key: { $0.clubKey }, { $0.clubKey = $1 }),
        .link("reader", { $0.reader }, { $0.reader = $1 }, key: { $0.readerKey }, { $0.readerKey = $1 }),
        ResourceField("name", { $0.name }, { $0.name = $1 }).required(),
        ResourceField("role", { $0.role }, { $0.role = $1 }),
        ResourceField("shares", { $0.shares }, { $0.shares = $1 }),
        .sparse("sharesWithModerators", { $0.sharesWithModerators }, { $0.sharesWithModerators = $1 }),
    ])

    public var identity: CommonResourceFields
    public private(set) var club = ResourceID.zero
    public private(set) var clubKey: Int64 = 0
    public private(set) var reader = ResourceID.zero
    public private(set) var readerKey: Int64 = 0
    /// The reader's name.
    public var name = ""
    public var role = ClubMemberRole.member
    public var shares = Sharing.milestones
    /// The sharing with the club's moderators, or `nil` for no more than `shares`.
    public var sharesWithModerators: Sharing?

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    public init(club: RowReference, reader: RowReference, name: String, role: ClubMemberRole, createdAt: Instant) {
        self.init(CommonResourceFields(Self.id(of: reader.id, in: club.id), madeAt: createdAt))
        (self.club, clubKey) = club
        (self.reader, readerKey) = reader
        self.name = name
        self.role = role
    }

    /// Derives the id from the club and the reader. A stream that watches a member then also receives the event when
    /// the reader joins again.
    public static func id(of reader: ResourceID, in club: ResourceID) -> ResourceID {
        ResourceID(following: Array("member".utf8) + [club, reader].flatMap { $0.withBytes { Array($0) } })
    }
}

/// The role of a member: each can do more than the one before. The raw values are stored and sent.
public enum ClubMemberRole: String, StorableValue, CaseIterable {
    case member
    case moderator
    case owner

    /// A Boolean value indicating whether the member is a moderator or an owner, who receive what moderators do.
    public var moderates: Bool { self != .member }
}

/// The body of a request that changes a member.
public struct ClubMemberPatch: RequestBody {
    /// The new role.
    public let role: ClubMemberRole?
    /// The new sharing with the club.
    public let shares: Member.Sharing?
    /// The new sharing with moderators.
    public let sharesWithModerators: DecodedMember<Member.Sharing>

    /// A Boolean value indicating whether the request changes the sharing, which only the member may.
    public var changesSharing: Bool { shares != nil || !sharesWithModerators.isKept }

    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        role = decoder.choice("role")
        shares = decoder.choice("shares")
        sharesWithModerators = decoder.choiceOrNull("sharesWithModerators")
    }
}

/// A reader's view of their own joining and leaving: the club's events reach them only in between.
public struct OwnMembership: Resource {
    public static let kind = ResourceKind.membership
    public static let fields = ResourceFields<OwnMembership>([.computed("club") { $0.id }])

    public var identity: CommonResourceFields

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    public init(club: ResourceID) { self.init(CommonResourceFields(id: club)) }
}

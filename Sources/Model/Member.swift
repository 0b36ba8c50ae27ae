public import JSON

/// A reader in a club.
public struct Member: Resource {
    /// What a member may do in the club; more from case to case. The raw values are stored and sent.
    public enum Role: String, Storable, CaseIterable {
        case member
        case moderator
        case owner
    }

    /// How much of a member's reading the others see. The raw values are stored and sent.
    public enum Sharing: String, Storable, CaseIterable {
        case exact
        /// The last milestone that was reached.
        case milestones
        /// Whether the book is finished.
        case finished
        case nothing

        /// Returns the one of two that lets others see more.
        public func wider(_ other: Sharing) -> Sharing { narrower(other) == self ? other : self }

        /// The one of two that lets others see less.
        public func narrower(_ other: Sharing) -> Sharing {
            let all = Self.allCases
            return all.firstIndex(of: self) ?? 0 > all.firstIndex(of: other) ?? 0 ? self : other
        }
    }

    public static let kind = ResourceKind.member
    public static let fields = Fields<Member>([
        .link(
            "club", from: "clubs.id", { $0.club }, { $0.club = $1 }, key: "club", { $0.clubKey }, { $0.clubKey = $1 }),
        .link(
            "reader", from: "readers.id", { $0.reader }, { $0.reader = $1 }, key: "reader", { $0.readerKey },
            { $0.readerKey = $1 }),
        Field("name", { $0.name }, { $0.name = $1 }),
        Field("role", { $0.role }, { $0.role = $1 }),
        Field("shares", { $0.shares }, { $0.shares = $1 }),
        .sparse("sharesWithModerators", { $0.sharesWithModerators }, { $0.sharesWithModerators = $1 }),
    ])

    public var identity: Identity
    public private(set) var club = ResourceID.zero
    public private(set) var clubKey: Int64 = 0
    public private(set) var reader = ResourceID.zero
    public private(set) var readerKey: Int64 = 0
    /// What the reader is called.
    public var name = ""
    public var role = Role.member
    public var shares = Sharing.milestones
    /// What those see besides who moderate the club; nil for nothing apart from that.
    public var sharesWithModerators: Sharing?

    public init(_ identity: Identity) { self.identity = identity }

    public init(
        club: (id: ResourceID, key: Int64), reader: (id: ResourceID, key: Int64), name: String, role: Role,
        createdAt: Instant
    ) {
        self.init(Identity(Self.id(of: reader.id, in: club.id), madeAt: createdAt))
        (self.club, clubKey) = club
        (self.reader, readerKey) = reader
        self.name = name
        self.role = role
    }

    /// The id follows from the club and the reader, so that who watches a member also hears when the reader comes back.
    public static func id(of reader: ResourceID, in club: ResourceID) -> ResourceID {
        ResourceID(following: Array("member".utf8) + [club, reader].flatMap { $0.withBytes { Array($0) } })
    }
}

/// What a request says of a member.
public struct MemberPatch: Sendable {
    /// The role to take.
    public let role: Patch<Member.Role>
    /// What to share.
    public let shares: Patch<Member.Sharing>
    /// What to share with moderators.
    public let sharesWithModerators: Patch<Member.Sharing>

    /// Whether it says anything of what is shared, which only the member may.
    public var isOfSharing: Bool {
        if case .keep = shares, case .keep = sharesWithModerators { false } else { true }
    }

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        role = decoder.choice("role")
        shares = decoder.choice("shares")
        sharesWithModerators = decoder.choiceOrNone("sharesWithModerators")
        try decoder.demandValid()
    }
}

/// What a reader hears of their own coming to a club and going from it: the club's own events begin and end with it.
public struct Membership: Resource {
    public static let kind = ResourceKind.membership
    public static let fields = Fields<Membership>([.computed("club") { $0.id }])

    public var identity: Identity

    public init(_ identity: Identity) { self.identity = identity }

    public init(club: ResourceID) { self.init(Identity(id: club)) }
}

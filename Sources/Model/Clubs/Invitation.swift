public import JSON

/// An invitation: a code with which readers join a club.
public struct Invitation: Resource {
    public static let kind = ResourceKind.invitation
    public static let fields = ResourceFields<Invitation>([
        .link("club", { $0.club }, { $0.club = $1 }, key: { $0.clubKey }, { $0.clubKey = $1 }),
        .link("maker", from: "readers.id", { $0.maker }, { $0.maker = $1 }, key: { $0.makerKey }, { $0.makerKey = $1 }),
        ResourceField("uses", { $0.uses }, { $0.uses = $1 }),
        .fixed("usesMax", { $0.usesMax }, { $0.usesMax = $1 }),
        .fixed("expiresAt", { $0.expiresAt }, { $0.expiresAt = $1 }),
        .unsent("code", .fixed, isRead: false, { $0.code }, { $0.code = $1 }),
    ])

    public var identity: CommonResourceFields
    public private(set) var club = ResourceID.zero
    public private(set) var clubKey: Int64 = 0
    public private(set) var maker = ResourceID.zero
    public private(set) var makerKey: Int64 = 0
    /// The code, set only on a new invitation. It is stored, shown once, and not read back.
    public var code = ""
    /// The number of times that the code was used.
    public var uses: Int32 = 0
    /// The maximum number of uses, 1 to 1,000.
    public private(set) var usesMax: Int32 = 1
    /// The time from which the code is refused, or `nil` for never.
    public private(set) var expiresAt: Instant?

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    public init(
        id: ResourceID, club: RowReference, maker: RowReference, usesMax: Int32, expiresAt: Instant?, createdAt: Instant
    ) {
        self.init(CommonResourceFields(id, madeAt: createdAt))
        (self.club, clubKey) = club
        (self.maker, makerKey) = maker
        self.usesMax = usesMax
        self.expiresAt = expiresAt
    }

    /// Returns whether the code can still be used.
    public func isOpen(at now: Instant) -> Bool { uses < usesMax && expiresAt.map { now < $0 } ?? true }
}

/// The body of a request that creates an invitation.
public struct InvitationDraft: Sendable {
    /// The maximum number of uses, 1 to 1,000; 1 by default.
    public let usesMax: Int32
    /// The time of expiry, or `nil` for never.
    public let expiresAt: Instant?

    /// Decodes a body. Throws `RequestError.invalid` with all violations.
    public init(_ body: JSONValue, now: Instant) throws(RequestError) {
        var decoder = ObjectDecoder(body)
        usesMax = Int32(decoder.required("usesMax", decoder.integer("usesMax", in: 1...1000), .patch) ?? 1)
        expiresAt = decoder.future("expiresAt", now: now)
        try decoder.demandValid()
    }
}

/// The sharing that a request to join a club chooses.
public struct SharingChoice: Sendable {
    /// The chosen sharing with the club. `sharesWithModerators` is that with its moderators.
    let shares: Member.Sharing?
    let sharesWithModerators: DecodedMember<Member.Sharing>

    /// Creates an empty choice.
    public init() { (shares, sharesWithModerators) = (nil, .absent) }

    init(_ decoder: inout ObjectDecoder) {
        shares = decoder.choice("shares")
        sharesWithModerators = decoder.choiceOrNull("sharesWithModerators")
    }

    /// Applies the chosen sharing, or the club's default, which readers who join by themselves have been shown.
    public func apply(to member: inout Member, in club: Club, settings: Member.Sharing) {
        member.shares = shares ?? club.defaultShares ?? settings
        member.sharesWithModerators = club.defaultSharesWithModerators
        sharesWithModerators.apply(to: &member.sharesWithModerators)
    }
}

extension Member {
    /// Applies the club's default sharing, but no more than the settings allow. For members whom others let in.
    public mutating func share(asIn club: Club, settings: Sharing) {
        shares = club.defaultShares?.narrower(settings) ?? settings
        sharesWithModerators = club.defaultSharesWithModerators?.narrower(settings)
    }
}

/// The body of a request to join a club.
public struct JoinClubDraft: RequestBody {
    /// The code of an invitation.
    public let code: String
    public let sharing: SharingChoice

    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        code = decoder.required("invitation", decoder.string("invitation", length: 1...100), .whole) ?? ""
        sharing = SharingChoice(&decoder)
    }
}

/// The public part of a listed club. It has the club's id.
public struct ClubListing: Resource {
    public static let kind = ResourceKind.listing
    public static let fields = ResourceFields<ClubListing>([
        ResourceField("name", { $0.name }, { $0.name = $1 }).required(),
        ResourceField("description", { $0.description }, { $0.description = $1 }),
        .sparse("defaultShares", { $0.defaultShares }, { $0.defaultShares = $1 }),
        .sparse(
            "defaultSharesWithModerators", { $0.defaultSharesWithModerators },
            { $0.defaultSharesWithModerators = $1 }),
    ])

    /// The identity, with the club's key and id.
    public var identity: CommonResourceFields
    public var name = ""
    public var description: String?
    /// The default sharing: see `Club.defaultShares`.
    public var defaultShares: Member.Sharing?
    public var defaultSharesWithModerators: Member.Sharing?

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    /// Creates the listing of a club, or returns `nil` if the club is private or archived.
    public init?(of club: Club, at now: Instant) {
        guard club.visibility == .listed, !club.isArchived else { return nil }
        self.init(CommonResourceFields(key: club.key, id: club.id, createdAt: now, updatedAt: now))
        name = club.name
        description = club.description
        (defaultShares, defaultSharesWithModerators) = (club.defaultShares, club.defaultSharesWithModerators)
    }
}

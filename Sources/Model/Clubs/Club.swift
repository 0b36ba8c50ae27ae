/// A group of readers who read together.
public struct Club: Resource {
    /// The visibility of the club's existence. The raw values are stored and sent.
    public enum Visibility: String, StorableValue, CaseIterable {
        /// Visible to its members.
        case `private`
        /// Visible to everyone with a token: see `ClubListing`.
        case listed
    }

    public static let kind = ResourceKind.club
    public static let fields = ResourceFields<Club>([
        ResourceField("name", .text(1...100), { $0.name }, { $0.name = $1 }),
        ResourceField("description", .text(1...2000, multiline: true), { $0.description }, { $0.description = $1 }),
        ResourceField("visibility", .choice, { $0.visibility }, { $0.visibility = $1 }),
        ResourceField("moderatorsSeeAhead", .bool, { $0.moderatorsSeeAhead }, { $0.moderatorsSeeAhead = $1 }),
        ResourceField("countsAhead", .bool, { $0.countsAhead }, { $0.countsAhead = $1 }),
        ResourceField("isArchived", .bool, { $0.isArchived }, { $0.isArchived = $1 }),
        .sparse("slack", rule: .share, { $0.slack }, { $0.slack = $1 }),
        .sparse("defaultShares", rule: .choiceOrNull(), { $0.defaultShares }, { $0.defaultShares = $1 }),
        .sparse(
            "defaultSharesWithModerators", rule: .choiceOrNull(), { $0.defaultSharesWithModerators },
            { $0.defaultSharesWithModerators = $1 }),
    ])

    public var identity: CommonResourceFields
    /// The name, 1 to 100 characters.
    public var name = ""
    /// The description, 1 to 2,000 characters.
    public var description: String?
    public var visibility = Visibility.private
    /// A Boolean value indicating whether moderators and owners see all notes, however far they have read.
    public var moderatorsSeeAhead = false
    /// A Boolean value indicating whether members see how many notes lie ahead of them.
    public var countsAhead = false
    /// A Boolean value indicating whether the club is archived: nothing in it changes any more.
    public var isArchived = false
    /// The share of the book by which a note shows later to readers in another scale; `nil` for `defaultSlack`.
    public var slack: Progress?
    public static let defaultSlack = Progress(clamping: 50_000)
    /// The default sharing of readers who join by themselves, or `nil` for that of their settings.
    public var defaultShares: Member.Sharing?
    /// The default sharing with moderators, or `nil` for no sharing beyond `defaultShares`.
    public var defaultSharesWithModerators: Member.Sharing?

    /// The scope of the club's changes that all members receive.
    public var scope: ChangeScope { .club(key: key) }

    /// Returns a Boolean value indicating whether members with a role see all notes, however far they have read.
    public func seesAhead(_ role: ClubMemberRole) -> Bool { moderatorsSeeAhead && role.moderates }

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    public init(id: ResourceID, name: String, createdAt: Instant) {
        self.init(CommonResourceFields(id, madeAt: createdAt))
        self.name = name
    }
}

/// The body of a request that creates or changes a club.
public typealias ClubPatch = MergePatch<Club>

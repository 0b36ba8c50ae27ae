/// Readers who read together.
public struct Club: Resource {
    /// Who may know that it is there. The raw values are stored and sent.
    public enum Visibility: String, Storable, CaseIterable {
        /// Its members.
        case `private`
        /// Everyone who has a token: see `Listing`.
        case listed
    }

    public static let kind = ResourceKind.club
    public static let fields = Fields<Club>([
        Field("name", .text(1...100), { $0.name }, { $0.name = $1 }),
        Field("description", .text(1...2000, multiline: true), { $0.description }, { $0.description = $1 }),
        Field("visibility", .choice, { $0.visibility }, { $0.visibility = $1 }),
        Field("moderatorsSeeAhead", .bool, { $0.moderatorsSeeAhead }, { $0.moderatorsSeeAhead = $1 }),
        Field("countsAhead", .bool, { $0.countsAhead }, { $0.countsAhead = $1 }),
        Field("isArchived", .bool, { $0.isArchived }, { $0.isArchived = $1 }),
        .sparse("slack", rule: .share, { $0.slack }, { $0.slack = $1 }),
        .sparse("defaultShares", rule: .choiceOrNone(), { $0.defaultShares }, { $0.defaultShares = $1 }),
        .sparse(
            "defaultSharesWithModerators", rule: .choiceOrNone(), { $0.defaultSharesWithModerators },
            { $0.defaultSharesWithModerators = $1 }),
    ])

    public var identity: Identity
    /// 1 to 100 characters.
    public var name = ""
    /// 1 to 2,000 characters.
    public var description: String?
    public var visibility = Visibility.private
    /// Whether moderators and owners see all notes, however far they have read.
    public var moderatorsSeeAhead = false
    /// Whether members are told how many notes lie ahead of them.
    public var countsAhead = false
    /// Whether it only remembers: nothing in it changes any more.
    public var isArchived = false
    /// How much later than its position a note shows to readers in another scale; nil for the usual.
    public var slack: Progress?
    public static let usualSlack = Progress(clamping: 50_000)
    /// What those share with it who come to it by themselves, unless they say otherwise; nil for what their settings say.
    public var defaultShares: Member.Sharing?
    /// The same with those who moderate it; nil for nothing apart.
    public var defaultSharesWithModerators: Member.Sharing?

    public init(_ identity: Identity) { self.identity = identity }

    public init(id: ResourceID, name: String, createdAt: Instant) {
        self.init(Identity(id, madeAt: createdAt))
        self.name = name
    }
}

/// What a request says of a club.
public typealias ClubPatch = MergePatch<Club>

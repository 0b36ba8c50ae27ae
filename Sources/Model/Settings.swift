/// How a reader wants things to be, on all their devices. There from the start, with the defaults, under the reader's id.
public struct Settings: Resource {
    public static let kind = ResourceKind.settings
    public static let fields = Fields<Settings>([
        Field("updateArtwork", .bool, { $0.updateArtwork }, { $0.updateArtwork = $1 }),
        Field("syncProgress", .bool, { $0.syncProgress }, { $0.syncProgress = $1 }),
        Field("timeZone", .timeZone, { $0.timeZone }, { $0.timeZone = $1 }),
        Field("defaultShareLevel", .choice, { $0.defaultShareLevel }, { $0.defaultShareLevel = $1 }),
        Field("presence", .bool, { $0.presence }, { $0.presence = $1 }),
    ])

    /// Its key is the reader's.
    public var identity: Identity
    /// Whether the reader's devices fetch a cover anew when a book has another. The house does nothing by it.
    public var updateArtwork = true
    /// Whether the reader's devices say by themselves how far the reader is. The house does nothing by it.
    public var syncProgress = true
    /// An identifier of the IANA time zone database: that of the meetings which the reader calls without saying one, and
    /// of the days by which their pace is reckoned.
    public var timeZone = "UTC"
    /// What the reader shares with a club that they come to, until they say otherwise there.
    public var defaultShareLevel = Settings.usualShareLevel
    public static let usualShareLevel = Member.Sharing.milestones
    /// Whether the reader's clubs see that they read now.
    public var presence = false

    public init(_ identity: Identity) { self.identity = identity }
}

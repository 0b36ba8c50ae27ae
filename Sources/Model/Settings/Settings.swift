/// A reader's preferences on all devices. They exist from the start, with the defaults, under the reader's id.
public struct Settings: Resource {
    public static let kind = ResourceKind.settings
    public static let fields = ResourceFields<Settings>([
        ResourceField("updateArtwork", .bool, { $0.updateArtwork }, { $0.updateArtwork = $1 }),
        ResourceField("syncProgress", .bool, { $0.syncProgress }, { $0.syncProgress = $1 }),
        ResourceField("timeZone", .timeZone, { $0.timeZone }, { $0.timeZone = $1 }),
        ResourceField("defaultShareLevel", .choice, { $0.defaultShareLevel }, { $0.defaultShareLevel = $1 }),
        ResourceField("presence", .bool, { $0.presence }, { $0.presence = $1 }),
    ])

    /// The identity, with the reader's key.
    public var identity: CommonResourceFields
    /// A Boolean value indicating whether the reader's devices fetch a book's new cover. The server ignores it.
    public var updateArtwork = true
    /// A Boolean value indicating whether the reader's devices record progress by themselves. The server ignores it.
    public var syncProgress = true
    /// An identifier of the IANA time zone database. It applies to the reader's meetings without a time zone, and to
    /// the days of their pace.
    public var timeZone = "UTC"
    /// The initial sharing in a club that the reader joins.
    public var defaultShareLevel = Settings.usualShareLevel
    public static let usualShareLevel = Member.Sharing.milestones
    /// A Boolean value indicating whether the reader's clubs see that the reader is reading now.
    public var presence = false

    public init(_ identity: CommonResourceFields) { self.identity = identity }
}

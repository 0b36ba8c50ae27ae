public import JSON

/// A single-use link that lets a person become a reader, choose a new password or sign in, until it expires. Its secret
/// is in the fragment of a URL, which browsers do not send to a server, and is shown once.
public struct OneTimeLink: Resource {
    public static let kind = ResourceKind.link
    public static let fields = ResourceFields<OneTimeLink>([
        .fixed("kind", { $0.purpose }, { $0.purpose = $1 }),
        .link("reader", { $0.reader }, { $0.reader = $1 }, key: { $0.readerKey }, { $0.readerKey = $1 }),
        .link("club", { $0.club }, { $0.club = $1 }, key: { $0.clubKey }, { $0.clubKey = $1 }),
        .link("maker", { $0.maker }, { $0.maker = $1 }, key: { $0.makerKey }, { $0.makerKey = $1 }),
        .fixed("expiresAt", { $0.expiresAt }, { $0.expiresAt = $1 }),
        .unsent("digest", .fixed, isRead: false, { $0.digest }, { $0.digest = $1 }),
    ])

    public var identity: CommonResourceFields
    public private(set) var purpose = OneTimeLinkPurpose.invitation
    /// The reader whose password is reset, or who is signed in.
    public private(set) var reader: ResourceID?
    public private(set) var readerKey: Int64?
    /// The club that an invitation's new reader joins, if any.
    public private(set) var club: ResourceID?
    public private(set) var clubKey: Int64?
    public private(set) var maker = ResourceID.zero
    public private(set) var makerKey: Int64 = 0
    /// The time of expiry.
    public private(set) var expiresAt = Instant(milliseconds: 0)
    /// The digest of the secret, set only on a new link. It is stored and never read back.
    public private(set) var digest: SHA256Digest?

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    /// Creates an unused link.
    public init(
        id: ResourceID, _ purpose: OneTimeLinkPurpose, reader: RowReference? = nil, club: RowReference? = nil,
        maker: RowReference, expiresAt: Instant, digest: SHA256Digest, createdAt: Instant
    ) {
        self.init(CommonResourceFields(id, madeAt: createdAt))
        self.purpose = purpose
        (self.reader, readerKey) = (reader?.id, reader?.key)
        (self.club, clubKey) = (club?.id, club?.key)
        (self.maker, makerKey) = maker
        self.expiresAt = expiresAt
        self.digest = digest
    }
}

/// The purpose of a link. The raw values are stored and sent.
public enum OneTimeLinkPurpose: String, StorableValue, CaseIterable {
    /// Creates an account.
    case invitation
    /// Sets a new password.
    case reset
    /// Signs in as a reader.
    case signin

    /// The default lifetime, in seconds.
    var defaultSeconds: Int64 {
        switch self {
        case .invitation: 7 * 86_400
        case .reset: 86_400
        case .signin: 600
        }
    }

    /// The maximum lifetime. A sign-in link gets only ten minutes, because whoever finds it needs nothing else.
    fileprivate var longest: (seconds: Int64, text: String) {
        self == .signin ? (600, "10 minutes") : (30 * 86_400, "30 days")
    }
}

/// The body of a request that creates a link.
public struct OneTimeLinkDraft: Sendable {
    public let kind: OneTimeLinkPurpose
    /// The reader: see `OneTimeLink.reader`.
    public let reader: ResourceID?
    /// The club: see `OneTimeLink.club`.
    public let club: ResourceID?
    /// The time of expiry, by default after the purpose's `OneTimeLinkPurpose.defaultSeconds`.
    public let expiresAt: Instant

    /// Decodes a body. Throws `RequestError.invalid` with all violations.
    public init(_ body: JSONValue, now: Instant) throws(RequestError) {
        var decoder = ObjectDecoder(body)
        let kind: OneTimeLinkPurpose = decoder.choice("kind") ?? .invitation
        (reader, club) = (decoder.id("reader"), decoder.id("club"))
        var end = now.adding(seconds: kind.defaultSeconds)
        if case .value(let instant) = decoder.instant("expiresAt") {
            end = instant
            if instant <= now || instant > now.adding(seconds: kind.longest.seconds) {
                decoder.refuse("expiresAt", "must be in the future, within \(kind.longest.text)")
            }
        }
        (self.kind, expiresAt) = (kind, end)
        switch kind {
        case .reset, .signin:
            if reader == nil { decoder.missing("reader") }
            if club != nil { decoder.refuse("club", "applies only to invitations") }
        case .invitation: if reader != nil { decoder.refuse("reader", "applies only to resets and sign-ins") }
        }
        try decoder.demandValid()
    }

    /// Creates a draft for an existing reader, with the default lifetime.
    public init(_ kind: OneTimeLinkPurpose, of reader: ResourceID, now: Instant) {
        (self.kind, self.reader, club) = (kind, reader, nil)
        expiresAt = now.adding(seconds: kind.defaultSeconds)
    }
}

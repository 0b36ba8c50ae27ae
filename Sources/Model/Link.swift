public import JSON

/// What lets somebody choose how they sign in: once, and until it ends. Its secret stands in the fragment of a URL, which no server is
/// sent, and is shown once.
public struct Link: Resource {
    /// What it lets one do. The raw values are stored and sent.
    public enum Kind: String, Storable, CaseIterable {
        /// Become a reader.
        case invitation
        /// Choose a new password.
        case reset
    }

    public static let kind = ResourceKind.link
    public static let fields = Fields<Link>([
        .fixed("kind", { $0.purpose }, { $0.purpose = $1 }),
        .link(
            "reader", from: "readers.id", { $0.reader }, { $0.reader = $1 }, key: "reader", { $0.readerKey },
            { $0.readerKey = $1 }),
        .link(
            "club", from: "clubs.id", { $0.club }, { $0.club = $1 }, key: "club", { $0.clubKey }, { $0.clubKey = $1 }),
        .link(
            "maker", from: "makers.id", { $0.maker }, { $0.maker = $1 }, key: "maker", { $0.makerKey },
            { $0.makerKey = $1 }),
        .fixed("expiresAt", { $0.expiresAt }, { $0.expiresAt = $1 }),
        .kept("digest", .fixed, isRead: false, { $0.digest }, { $0.digest = $1 }),
    ])

    public var identity: Identity
    public private(set) var purpose = Kind.invitation
    /// Of a reset: whose password it is.
    public private(set) var reader: ResourceID?
    public private(set) var readerKey: Int64?
    /// Of an invitation: the club that one comes to with it, if any.
    public private(set) var club: ResourceID?
    public private(set) var clubKey: Int64?
    public private(set) var maker = ResourceID.zero
    public private(set) var makerKey: Int64 = 0
    /// From when on it lets nobody do anything.
    public private(set) var expiresAt = Instant(milliseconds: 0)
    /// Of a new one the digest of its secret, which is kept, and never read back.
    public private(set) var digest: Digest?

    public init(_ identity: Identity) { self.identity = identity }

    /// A link that has not been used yet.
    public init(
        id: ResourceID, _ purpose: Kind, reader: (id: ResourceID, key: Int64)? = nil,
        club: (id: ResourceID, key: Int64)? = nil, maker: (id: ResourceID, key: Int64), expiresAt: Instant,
        digest: Digest, createdAt: Instant
    ) {
        self.init(Identity(id, madeAt: createdAt))
        self.purpose = purpose
        (self.reader, readerKey) = (reader?.id, reader?.key)
        (self.club, clubKey) = (club?.id, club?.key)
        (self.maker, makerKey) = maker
        self.expiresAt = expiresAt
        self.digest = digest
    }
}

/// What a request says of a new link.
public struct LinkDraft: Sendable {
    public let kind: Link.Kind
    /// See `Link.reader`.
    public let reader: ResourceID?
    /// See `Link.club`.
    public let club: ResourceID?
    /// A week from now for an invitation and a day for a reset, unless said otherwise; thirty days at most.
    public let expiresAt: Instant

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue, now: Instant) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        var kind = Link.Kind.invitation
        let choice: Patch<Link.Kind> = decoder.choice("kind")
        choice.apply(to: &kind)
        (reader, club) = (decoder.id("reader"), decoder.id("club"))
        var end = now.adding(seconds: Self.secondsADay * (kind == .reset ? 1 : 7))
        if case .value(let instant) = decoder.instant("expiresAt") {
            end = instant
            if instant <= now || instant > now.adding(seconds: Self.secondsADay * Self.daysMax) {
                decoder.refuse("expiresAt", "must lie in the future, within \(Self.daysMax) days")
            }
        }
        (self.kind, expiresAt) = (kind, end)
        switch kind {
        case .reset:
            if reader == nil { decoder.missing("reader") }
            if club != nil { decoder.refuse("club", "is for invitations") }
        case .invitation: if reader != nil { decoder.refuse("reader", "is for resets") }
        }
        try decoder.demandValid()
    }

    private static let daysMax: Int64 = 30
    private static let secondsADay: Int64 = 86_400
}

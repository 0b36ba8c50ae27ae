public import JSON

/// A link by which somebody comes in, or chooses how they sign in: once, and until it ends. Its secret stands in the fragment of a URL, which no server is
/// sent, and is shown once.
public struct Link: Resource {
    /// What it lets one do. The raw values are stored and sent.
    public enum Kind: String, Storable, CaseIterable {
        /// Become a reader.
        case invitation
        /// Choose a new password.
        case reset
        /// Sign in as a reader.
        case signin

        /// The lifetime of a link whose maker does not say another one.
        var secondsUsual: Int64 {
            switch self {
            case .invitation: 7 * 86_400
            case .reset: 86_400
            case .signin: 600
            }
        }

        /// The longest lifetime. Whoever finds a link that signs in needs nothing else: it is for here and now.
        fileprivate var longest: (seconds: Int64, text: String) {
            self == .signin ? (600, "10 minutes") : (30 * 86_400, "30 days")
        }
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
    /// The reader whose password a reset changes, or who is signed in.
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
    /// The end; see `Link.Kind.secondsUsual`.
    public let expiresAt: Instant

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue, now: Instant) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        var kind = Link.Kind.invitation
        let choice: Patch<Link.Kind> = decoder.choice("kind")
        choice.apply(to: &kind)
        (reader, club) = (decoder.id("reader"), decoder.id("club"))
        var end = now.adding(seconds: kind.secondsUsual)
        if case .value(let instant) = decoder.instant("expiresAt") {
            end = instant
            if instant <= now || instant > now.adding(seconds: kind.longest.seconds) {
                decoder.refuse("expiresAt", "must lie in the future, within \(kind.longest.text)")
            }
        }
        (self.kind, expiresAt) = (kind, end)
        switch kind {
        case .reset, .signin:
            if reader == nil { decoder.missing("reader") }
            if club != nil { decoder.refuse("club", "is for invitations") }
        case .invitation: if reader != nil { decoder.refuse("reader", "is for resets and sign-ins") }
        }
        try decoder.demandValid()
    }

    /// A link for a reader who is there, with the usual lifetime.
    public init(_ kind: Link.Kind, of reader: ResourceID, now: Instant) {
        (self.kind, self.reader, club) = (kind, reader, nil)
        expiresAt = now.adding(seconds: kind.secondsUsual)
    }
}

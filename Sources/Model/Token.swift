public import JSON

/// What lets a request act as a reader. The secret itself is shown once and stored only as its SHA-256.
public struct Token: Resource {
    /// What requests with the token may do. The raw values are stored and sent.
    public enum Access: String, Storable, CaseIterable {
        case read
        case write
    }

    public static let kind = ResourceKind.token
    public static let fields = Fields<Token>([
        .link(
            "reader", from: "readers.id", { $0.reader }, { $0.reader = $1 }, key: "reader", { $0.readerKey },
            { $0.readerKey = $1 }),
        .fixed("name", { $0.name }, { $0.name = $1 }),
        .fixed("scope", column: "access", { $0.access }, { $0.access = $1 }),
        .fixed("expiresAt", { $0.expiresAt }, { $0.expiresAt = $1 }),
        .fixed("lastUsedOn", column: "last_used_day", { $0.lastUsedOn }, { $0.lastUsedOn = $1 }),
        .kept("digest", .fixed, isRead: false, { $0.digest }, { $0.digest = $1 }),
        // Not sent: what is sent of tokens stays what it was, and `/v1/sessions` lists the sessions.
        .kept("is_session", .fixed, { $0.isSession }, { $0.isSession = $1 }),
    ])

    public var identity: Identity
    public private(set) var reader = ResourceID.zero
    public private(set) var readerKey: Int64 = 0
    /// Of a new one the digest of its secret, which is kept, and never read back.
    public var digest: Digest?
    /// 1 to 100 characters.
    public private(set) var name = ""
    public private(set) var access = Access.read
    /// From when on it is refused; nil for never.
    public private(set) var expiresAt: Instant?
    /// Kept without a change, so at most once a day.
    public private(set) var lastUsedOn: Day?
    /// Whether a sign-in made it.
    public private(set) var isSession = false

    /// The maximum number of days from a sign-in to the end of its session, however often it is used.
    public static let sessionDaysMax: Int64 = 365

    public init(_ identity: Identity) { self.identity = identity }

    /// A token that has not been used yet.
    public init(
        id: ResourceID, reader: (id: ResourceID, key: Int64), name: String, access: Access, expiresAt: Instant?,
        createdAt: Instant
    ) {
        self.init(Identity(id: id, createdAt: createdAt))
        (self.reader, readerKey) = reader
        self.name = name
        self.access = access
        self.expiresAt = expiresAt
    }

    /// A session, of a reader who has just signed in: it may write, has no end of its own, and its first use was the sign-in.
    public init(
        session id: ResourceID, reader: (id: ResourceID, key: Int64), device: String, createdAt: Instant
    ) {
        self.init(id: id, reader: reader, name: device, access: .write, expiresAt: nil, createdAt: createdAt)
        lastUsedOn = Day(number: createdAt.day)
        isSession = true
    }
}

/// What a request says of a new token.
public struct TokenDraft: Sendable {
    /// See `Token.name`.
    public let name: String
    /// See `Token.access`; write unless said otherwise.
    public let access: Token.Access
    /// See `Token.expiresAt`.
    public let expiresAt: Instant?
    /// For whom; nil means for the reader who asks.
    public let reader: ResourceID?

    /// A token to write with, for the reader who asks, without an end.
    public init(name: String) {
        self.name = name
        access = .write
        expiresAt = nil
        reader = nil
    }

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue, now: Instant) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        var name = ""
        decoder.required("name", decoder.string("name", length: 1...100), .whole).apply(to: &name)
        var access = Access.write
        let choice: Patch<Access> = decoder.choice("scope")
        choice.apply(to: &access)
        expiresAt = Self.expiry(&decoder, now)
        reader = decoder.id("reader")
        self.name = name
        self.access = access
        try decoder.demandValid()
    }

    private typealias Access = Token.Access

    private static func expiry(_ decoder: inout ObjectDecoder, _ now: Instant) -> Instant? {
        guard case .value(let text) = decoder.string("expiresAt", length: 1...40) else { return nil }
        guard let instant = Instant(text), instant > now else {
            decoder.refuse("expiresAt", "must be an RFC 3339 date-time in the future")
            return nil
        }
        return instant
    }
}

extension ObjectDecoder {
    /// A member that is a resource's id; nil when it is absent, null or refused.
    public mutating func id(_ name: StaticString) -> ResourceID? {
        guard case .value(let text) = string(name, length: 1...64) else { return nil }
        guard let id = ResourceID(text) else {
            refuse(name, "must be a UUID")
            return nil
        }
        return id
    }
}

public import JSON

/// A bearer token, with which requests act as a reader. The secret is shown once and stored only as its SHA-256.
public struct Token: Resource {
    /// The access that a token gives. The raw values are stored and sent.
    public enum Access: String, StorableValue, CaseIterable {
        case read
        case write
    }

    public static let kind = ResourceKind.token
    public static let fields = ResourceFields<Token>([
        .link("reader", { $0.reader }, { $0.reader = $1 }, key: { $0.readerKey }, { $0.readerKey = $1 }),
        .fixed("name", { $0.name }, { $0.name = $1 }),
        .fixed("scope", column: "access", { $0.access }, { $0.access = $1 }),
        .fixed("expiresAt", { $0.expiresAt }, { $0.expiresAt = $1 }),
        .fixed("lastUsedOn", column: "last_used_day", { $0.lastUsedOn }, { $0.lastUsedOn = $1 }),
        .unsent("digest", .fixed, isRead: false, { $0.digest }, { $0.digest = $1 }),
        // Not sent, to keep the representation of tokens as it was. `/v1/tokens?sessions=true` lists the sessions.
        .unsent("is_session", .fixed, { $0.isSession }, { $0.isSession = $1 }),
    ])

    public var identity: CommonResourceFields
    public private(set) var reader = ResourceID.zero
    public private(set) var readerKey: Int64 = 0
    /// The digest of the secret, set only on a new token. It is stored and never read back.
    public var digest: SHA256Digest?
    /// The name, 1 to 100 characters.
    public private(set) var name = ""
    public private(set) var access = Access.read
    /// The time from which the token is refused, or `nil` for never.
    public private(set) var expiresAt: Instant?
    /// The day of the last use. It is updated at most once a day, without a change in the log.
    public private(set) var lastUsedOn: UTCDay?
    /// A Boolean value indicating whether a sign-in created the token.
    public private(set) var isSession = false

    /// The maximum number of days from a sign-in to the end of its session, however often it is used.
    public static let sessionDaysMax: Int64 = 365

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    /// Creates an unused token.
    public init(
        id: ResourceID, reader: RowReference, name: String, access: Access, expiresAt: Instant?, createdAt: Instant
    ) {
        self.init(CommonResourceFields(id: id, createdAt: createdAt))
        (self.reader, readerKey) = reader
        self.name = name
        self.access = access
        self.expiresAt = expiresAt
    }

    /// Creates a session for a reader who has just signed in. It may write, has no expiry of its own, and was first
    /// used by the sign-in.
    public init(session id: ResourceID, reader: RowReference, device: String, createdAt: Instant) {
        self.init(id: id, reader: reader, name: device, access: .write, expiresAt: nil, createdAt: createdAt)
        lastUsedOn = UTCDay(number: createdAt.day)
        isSession = true
    }
}

/// The body of a request that creates a token.
public struct TokenDraft: Sendable {
    /// The name: see `Token.name`.
    public let name: String
    /// The access: see `Token.access`. Write by default.
    public private(set) var access = Token.Access.write
    /// The expiry: see `Token.expiresAt`.
    public private(set) var expiresAt: Instant?
    /// The reader for whom to create the token, or `nil` for the caller.
    public private(set) var reader: ResourceID?

    /// Creates a draft of a token for the caller that may write and never expires.
    public init(name: String) { self.name = name }

    /// Decodes a body. Throws `RequestError.invalid` with all violations.
    public init(_ body: JSONValue, now: Instant) throws(RequestError) {
        var decoder = ObjectDecoder(body)
        name = decoder.required("name", decoder.visibleText("name", length: 1...100), .whole) ?? ""
        access = decoder.choice("scope") ?? .write
        expiresAt = decoder.future("expiresAt", now: now)
        reader = decoder.id("reader")
        try decoder.demandValid()
    }
}

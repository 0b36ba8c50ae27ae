public import JSON

/// A code that lets readers into a club.
public struct Invitation: Resource {
    /// The row's key; 0 before it is stored, and never sent.
    public var key: Int64 = 0
    /// The key of the club's row.
    public var clubKey: Int64
    /// The key of the row of its maker.
    public var makerKey: Int64
    /// What opens the door, of a new one: it is kept, shown once, and never read back.
    public var code = ""
    /// The public id.
    public let id: ResourceID
    /// The `seq` of its last change.
    public var version: Int64 = 0
    /// Into which club.
    public let club: ResourceID
    /// Who made it. It ends when they may make none any more.
    public let maker: ResourceID
    /// How often it was used.
    public var uses: Int32 = 0
    /// How often it may be.
    public let usesMax: Int32
    /// From when on it is refused; nil for never.
    public let expiresAt: Instant?
    /// When it was made.
    public var createdAt: Instant?
    /// When it last changed.
    public var updatedAt: Instant?

    /// An invitation that nobody has used.
    public init(
        id: ResourceID, club: (id: ResourceID, key: Int64), maker: (id: ResourceID, key: Int64), usesMax: Int32,
        expiresAt: Instant?, createdAt: Instant
    ) {
        self.id = id
        self.club = club.id
        clubKey = club.key
        self.maker = maker.id
        makerKey = maker.key
        self.usesMax = usesMax
        self.expiresAt = expiresAt
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    /// Whether it lets one more in.
    public func isOpen(at now: Instant) -> Bool { uses < usesMax && expiresAt.map { now < $0 } ?? true }

    /// See `ResourceKind.invitation`.
    public static let kind = ResourceKind.invitation

    /// The fields; only `uses` changes.
    public static let fieldNames: [StaticString] = ["club", "maker", "uses", "usesMax", "expiresAt"]

    /// Writes the value of the field at an index.
    public func write(field index: Int, to json: inout JSONWriter) {
        switch index {
        case 0: json.id(club)
        case 1: json.id(maker)
        case 2: json.integer(Int64(uses))
        case 3: json.integer(Int64(usesMax))
        default: json.instant(expiresAt)
        }
    }
}

/// What a request says of a new invitation.
public struct InvitationDraft: Sendable {
    /// 1 to 1,000; 1 where nothing is said.
    public let usesMax: Int32
    /// Nil for never.
    public let expiresAt: Instant?

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue, now: Instant) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        var uses: Int64 = 1
        decoder.required("usesMax", decoder.integer("usesMax", in: 1...1000), .patch).apply(to: &uses)
        usesMax = Int32(uses)
        var expiry: Instant?
        if case .value(let instant) = decoder.instant("expiresAt") {
            expiry = instant
            if instant <= now { decoder.refuse("expiresAt", "must lie in the future") }
        }
        expiresAt = expiry
        let violations = decoder.finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }
}

/// What a request says to come into a club.
public struct JoinDraft: Sendable {
    /// An invitation's code.
    public let code: String

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        var code = ""
        decoder.required("invitation", decoder.string("invitation", length: 1...100), .whole).apply(to: &code)
        self.code = code
        let violations = decoder.finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }
}

public import JSON

/// A reader in a club.
public struct Member: Resource {
    /// What a member may do; see `Rights`. The raw values are stored and sent.
    public enum Role: String, Sendable, CaseIterable {
        case member
        case moderator
        case owner
    }

    /// What the others see of a member's progress. The raw values are stored and sent.
    public enum Sharing: String, Sendable, CaseIterable {
        /// All of it.
        case exact
        /// The last milestone that was reached.
        case milestones
        /// Whether the book is finished.
        case finished
        case nothing
    }

    /// The row's key, the `seq` of the change that made it; 0 before it is stored, and never sent.
    public var key: Int64 = 0
    /// The key of the club's row.
    public var clubKey: Int64
    /// The key of the reader's row.
    public var readerKey: Int64
    /// The public id.
    public let id: ResourceID
    /// The `seq` of its last change.
    public var version: Int64 = 0
    /// In which club.
    public let club: ResourceID
    /// Who.
    public let reader: ResourceID
    /// What the reader is called.
    public var name: String
    /// What they may do.
    public var role: Role
    /// What the others see of their progress.
    public var shares = Sharing.milestones
    /// When they came.
    public var createdAt: Instant?
    /// When this last changed.
    public var updatedAt: Instant?

    /// A member who has just come.
    public init(
        id: ResourceID, club: (id: ResourceID, key: Int64), reader: (id: ResourceID, key: Int64), name: String,
        role: Role, createdAt: Instant
    ) {
        self.id = id
        self.club = club.id
        clubKey = club.key
        self.reader = reader.id
        readerKey = reader.key
        self.name = name
        self.role = role
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    /// See `ResourceKind.member`.
    public static let kind = ResourceKind.member

    /// The fields; the first two never change.
    public static let fieldNames: [StaticString] = ["club", "reader", "name", "role", "shares"]

    /// Writes the value of the field at an index.
    public func write(field index: Int, to json: inout JSONWriter) {
        switch index {
        case 0: json.id(club)
        case 1: json.id(reader)
        case 2: json.string(name)
        case 3: json.string(role.rawValue)
        default: json.string(shares.rawValue)
        }
    }
}

/// What a request says of a member.
public struct MemberPatch: Sendable {
    /// The role to take.
    public let role: Patch<Member.Role>
    /// What to share.
    public let shares: Patch<Member.Sharing>

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        role = decoder.choice("role")
        shares = decoder.choice("shares")
        let violations = decoder.finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }
}

/// What a reader hears of their own coming to a club and going from it: the club's own events begin and end with it.
public struct Membership: Resource {
    /// The club's id.
    public let id: ResourceID
    /// The `seq` of the change that says it.
    public var version: Int64 = 0
    /// None: it has no row.
    public var key: Int64 { 0 }
    /// Never.
    public var createdAt: Instant? { nil }
    /// Never.
    public var updatedAt: Instant?

    /// The viewer's membership of a club.
    public init(club: ResourceID) { id = club }

    /// See `ResourceKind.membership`.
    public static let kind = ResourceKind.membership

    /// The club; it never changes.
    public static let fieldNames: [StaticString] = ["club"]

    /// Writes the value of the one field.
    public func write(field index: Int, to json: inout JSONWriter) { json.id(id) }
}

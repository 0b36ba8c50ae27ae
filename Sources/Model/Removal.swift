public import JSON

/// That a reader was taken out of a club, and does not come back by a code. It ends when a moderator lifts it, or lets the
/// reader in who asks.
public struct Removal: Resource {
    /// The row's key; 0 before it is stored, and never sent.
    public var key: Int64 = 0
    /// The key of the club's row.
    public var clubKey: Int64
    /// The key of the reader's row.
    public var readerKey: Int64
    /// The public id.
    public let id: ResourceID
    /// The `seq` of its last change.
    public var version: Int64 = 0
    /// Out of which club.
    public let club: ResourceID
    /// Who.
    public let reader: ResourceID
    /// What the reader was called then.
    public let name: String
    /// Whether they may not even ask to be let in.
    public let isBanned: Bool
    /// When they were taken out.
    public var createdAt: Instant?
    /// The same: it does not change.
    public var updatedAt: Instant?

    /// The removal of who has been a member until now.
    public init(id: ResourceID, of member: Member, isBanned: Bool, createdAt: Instant) {
        self.init(
            id: id, club: (member.club, member.clubKey), reader: (member.reader, member.readerKey), name: member.name,
            isBanned: isBanned, createdAt: createdAt)
    }

    /// A removal with all that it says.
    public init(
        id: ResourceID, club: (id: ResourceID, key: Int64), reader: (id: ResourceID, key: Int64), name: String,
        isBanned: Bool, createdAt: Instant
    ) {
        self.id = id
        self.club = club.id
        clubKey = club.key
        self.reader = reader.id
        readerKey = reader.key
        self.name = name
        self.isBanned = isBanned
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    /// See `ResourceKind.removal`.
    public static let kind = ResourceKind.removal

    /// The fields; none changes.
    public static let fieldNames: [StaticString] = ["club", "reader", "name", "isBanned"]

    /// Writes the value of the field at an index.
    public func write(field index: Int, to json: inout JSONWriter) {
        switch index {
        case 0: json.id(club)
        case 1: json.id(reader)
        case 2: json.string(name)
        default: json.bool(isBanned)
        }
    }
}

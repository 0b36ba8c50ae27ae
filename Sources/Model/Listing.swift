public import JSON

/// What everyone may know of a club that is listed: it has the club's id.
public struct Listing: Resource {
    /// The key of the club's row.
    public var key: Int64
    /// The club's id.
    public let id: ResourceID
    /// The `seq` of its last change.
    public var version: Int64 = 0
    /// See `Club.name`.
    public var name: String
    /// See `Club.description`.
    public var description: String?
    /// When the club was listed.
    public var createdAt: Instant?
    /// When this last changed.
    public var updatedAt: Instant?

    /// What is told of a club; nil when nothing is: it is private, or archived.
    public init?(of club: Club, at now: Instant) {
        guard club.visibility == .listed, !club.isArchived else { return nil }
        self.init(key: club.key, id: club.id, name: club.name, createdAt: now)
        description = club.description
    }

    /// A listing without a description.
    public init(key: Int64, id: ResourceID, name: String, createdAt: Instant) {
        self.key = key
        self.id = id
        self.name = name
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    /// See `ResourceKind.listing`.
    public static let kind = ResourceKind.listing

    /// The fields.
    public static let fieldNames: [StaticString] = ["name", "description"]

    /// Writes the value of the field at an index.
    public func write(field index: Int, to json: inout JSONWriter) {
        json.string(index == 0 ? name : description)
    }
}

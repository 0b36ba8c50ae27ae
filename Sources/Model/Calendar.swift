public import JSON

/// A secret address at which a member's programs find a club's calendar. It ends with the membership.
public struct Calendar: Resource {
    /// The row's key; 0 before it is stored, and never sent.
    public var key: Int64 = 0
    /// The key of the member's row.
    public var memberKey: Int64
    /// The key of the reader's row, who alone hears of it.
    public var readerKey: Int64
    /// Of a new one the digest of its secret, which is kept, and never read back.
    public var digest: Digest?
    /// The public id.
    public let id: ResourceID
    /// The `seq` of its last change.
    public var version: Int64 = 0
    /// Of which club.
    public let club: ResourceID
    /// When it was made.
    public var createdAt: Instant?
    /// Never: it does not change.
    public var updatedAt: Instant?

    /// An address that has just been made.
    public init(id: ResourceID, club: ResourceID, member: (key: Int64, readerKey: Int64), createdAt: Instant) {
        self.id = id
        self.club = club
        memberKey = member.key
        readerKey = member.readerKey
        self.createdAt = createdAt
    }

    /// See `ResourceKind.calendar`.
    public static let kind = ResourceKind.calendar

    /// The club; it never changes.
    public static let fieldNames: [StaticString] = ["club"]

    /// Writes the value of the one field.
    public func write(field index: Int, to json: inout JSONWriter) { json.id(club) }
}

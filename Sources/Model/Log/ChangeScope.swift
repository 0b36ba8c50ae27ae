/// The readers who may see a change: everyone, one reader, or a club.
public struct ChangeScope: Hashable, Sendable {
    /// 0 for everyone, the key of a reader for a private resource, or the negated key of a club.
    public let number: Int64
    /// The key of the one reader in the scope who sees the change. 0 for all of them, -1 for a club's moderators and
    /// owners, -2 for its other members.
    public let reader: Int64

    /// Creates a scope from the numbers in the log.
    public init(number: Int64, reader: Int64 = 0) {
        self.number = number
        self.reader = reader
    }

    /// Everyone with a token.
    public static let everyone = ChangeScope(number: 0)

    /// Returns the scope of one reader.
    public static func reader(key: Int64) -> ChangeScope { ChangeScope(number: key) }

    /// Returns the scope of a club's members, or of one of them.
    public static func club(key: Int64, only reader: Int64 = 0) -> ChangeScope {
        ChangeScope(number: -key, reader: reader)
    }

    /// Returns the scope of a club's moderators and owners.
    public static func moderators(ofClub key: Int64) -> ChangeScope { .club(key: key, only: forModerators) }

    /// Returns the scope of the members of a club who do not moderate it.
    public static func plainMembers(ofClub key: Int64) -> ChangeScope { .club(key: key, only: forPlainMembers) }

    // Values in place of a reader's key.
    private static let (forModerators, forPlainMembers): (Int64, Int64) = (-1, -2)

    /// A Boolean value indicating whether the scope is a role in a club, rather than all its members or one of them.
    public var isForRole: Bool { reader < 0 }

    /// Returns the part of a club's scope that is for one member, or `nil` if the scope is not a club's.
    public func only(_ reader: Int64) -> ChangeScope? { club.map { .club(key: $0, only: reader) } }

    /// The key of the club, or `nil` if the scope is not a club's.
    public var club: Int64? { number < 0 ? -number : nil }
}

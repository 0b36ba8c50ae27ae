/// Who may see a change: everyone, one reader, or a club.
public struct Scope: Hashable, Sendable {
    /// 0 is everyone; a positive number is the key of the reader whose private thing it is; a negative one that of a club.
    public let number: Int64
    /// Of those who may see that, the key of the reader whom it is for; 0 for all of them, -1 for a club's moderators and
    /// owners, -2 for its other members.
    public let reader: Int64

    /// The scope with these numbers, as the log stores them.
    public init(number: Int64, reader: Int64 = 0) {
        self.number = number
        self.reader = reader
    }

    /// Everyone who has a token.
    public static let everyone = Scope(number: 0)

    /// One reader alone.
    public static func reader(key: Int64) -> Scope { Scope(number: key) }

    /// The members of a club, or one of them.
    public static func club(key: Int64, only reader: Int64 = 0) -> Scope { Scope(number: -key, reader: reader) }

    /// A club's moderators and owners.
    public static func moderators(ofClub key: Int64) -> Scope { .club(key: key, only: forModerators) }

    /// The members of a club who do not moderate it.
    public static func plainMembers(ofClub key: Int64) -> Scope { .club(key: key, only: forPlainMembers) }

    // In place of a reader's key.
    private static let (forModerators, forPlainMembers): (Int64, Int64) = (-1, -2)

    /// Whether it is a club's moderators and owners.
    public var isForModerators: Bool { reader == Self.forModerators }

    /// Whether it is a role in a club, rather than all its members or one of them.
    public var isForRole: Bool { reader < 0 }

    /// The key of the club whose it is; nil for what is no club's.
    public var club: Int64? { number < 0 ? -number : nil }
}

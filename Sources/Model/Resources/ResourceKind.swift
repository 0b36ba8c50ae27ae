/// A kind of resource in the log. The numbers are stored: never reuse one.
///
/// A type of resource declares its kind. Those that are named elsewhere are listed here.
public struct ResourceKind: Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(number: UInt8) { rawValue = number }
}

extension ResourceKind {
    @inlinable public static var reader: ResourceKind { ResourceKind(number: 1) }
    @inlinable public static var token: ResourceKind { ResourceKind(number: 2) }
    @inlinable public static var book: ResourceKind { ResourceKind(number: 3) }
    @inlinable public static var reading: ResourceKind { ResourceKind(number: 4) }
    @inlinable public static var entry: ResourceKind { ResourceKind(number: 5) }
    /// A projection of a reading and its book. It has events, but no row and no log entry of its own.
    @inlinable public static var card: ResourceKind { ResourceKind(number: 6) }
    @inlinable public static var club: ResourceKind { ResourceKind(number: 7) }
    @inlinable public static var member: ResourceKind { ResourceKind(number: 8) }
    @inlinable public static var note: ResourceKind { ResourceKind(number: 9) }
    @inlinable public static var invitation: ResourceKind { ResourceKind(number: 10) }
    /// A reader's view of their own joining and leaving. It has events, but no row.
    @inlinable public static var membership: ResourceKind { ResourceKind(number: 11) }
    @inlinable public static var run: ResourceKind { ResourceKind(number: 12) }
    @inlinable public static var milestone: ResourceKind { ResourceKind(number: 13) }
    /// A standing as the club's members see it.
    @inlinable public static var standing: ResourceKind { ResourceKind(number: 14) }
    @inlinable public static var meeting: ResourceKind { ResourceKind(number: 15) }
    @inlinable public static var attendance: ResourceKind { ResourceKind(number: 16) }
    @inlinable public static var calendar: ResourceKind { ResourceKind(number: 17) }
    @inlinable public static var listing: ResourceKind { ResourceKind(number: 18) }
    @inlinable public static var joinRequest: ResourceKind { ResourceKind(number: 19) }
    @inlinable public static var removal: ResourceKind { ResourceKind(number: 20) }
    @inlinable public static var shelf: ResourceKind { ResourceKind(number: 21) }
    @inlinable public static var shelfBook: ResourceKind { ResourceKind(number: 22) }
    /// The set of URLs that a client watches. It has rows, but no events.
    @inlinable public static var stream: ResourceKind { ResourceKind(number: 23) }
    @inlinable public static var settings: ResourceKind { ResourceKind(number: 24) }
    @inlinable public static var scene: ResourceKind { ResourceKind(number: 25) }
    /// A link to create an account, set a password or sign in.
    @inlinable public static var link: ResourceKind { ResourceKind(number: 26) }
    @inlinable public static var block: ResourceKind { ResourceKind(number: 28) }
    @inlinable public static var report: ResourceKind { ResourceKind(number: 29) }
    @inlinable public static var edition: ResourceKind { ResourceKind(number: 40) }
    /// The chapters of a book, by its id.
    @inlinable public static var chapters: ResourceKind { ResourceKind(number: 41) }
    /// A reader's prior knowledge of a book.
    @inlinable public static var knowledge: ResourceKind { ResourceKind(number: 43) }
    /// A standing as the club's moderators see it. Events call it a standing, too.
    @inlinable public static var moderatorStanding: ResourceKind { ResourceKind(number: 44) }
}

/// The kinds of resource in the log. The raw values are stored: never reuse one.
public enum ResourceKind: UInt8, Sendable, CaseIterable, Hashable {
    case reader = 1
    case token = 2
    case book = 3
    case reading = 4
    case entry = 5
    /// A projection of a reading and its book. It has events, but no row and no log entry of its own.
    case card = 6
    case club = 7
    case member = 8
    case note = 9
    case invitation = 10
    /// A reader's view of their own joining and leaving. It has events, but no row.
    case membership = 11
    case run = 12
    case milestone = 13
    /// A standing as the club's members see it.
    case standing = 14
    case meeting = 15
    case attendance = 16
    case calendar = 17
    case listing = 18
    case joinRequest = 19
    case removal = 20
    case shelf = 21
    case shelfBook = 22
    /// The set of URLs that a client watches. It has rows, but no events.
    case stream = 23
    case settings = 24
    case scene = 25
    /// A link to create an account, set a password or sign in.
    case link = 26
    case block = 28
    case report = 29
    case edition = 40
    /// The chapters of a book, by its id.
    case chapters = 41
    /// A reader's prior knowledge of a book.
    case knowledge = 43
    /// A standing as the club's moderators see it. Events call it a standing, too.
    case moderatorStanding = 44
    case rating = 45
}

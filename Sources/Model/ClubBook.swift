/// A book on a club's reading list.
public struct ClubBook: Resource {
    /// What the club does with it. The raw values are stored and sent.
    public enum State: String, Storable, CaseIterable {
        case planned
        case current
        case read
    }

    public static let kind = ResourceKind.clubBook
    public static let fields = Fields<ClubBook>([
        .link(
            "club", from: "clubs.id", { $0.club }, { $0.club = $1 }, key: "club", { $0.clubKey }, { $0.clubKey = $1 }),
        .link(
            "book", from: "books.id", { $0.book }, { $0.book = $1 }, key: "book", { $0.bookKey }, { $0.bookKey = $1 }),
        Field("place", .number(0...1_000_000), { $0.place }, { $0.place = $1 }),
        Field("state", .choice, { $0.state }, { $0.state = $1 }),
        .kept("books.page_count", .joined, { $0.pageCount }, { $0.pageCount = $1 }),
    ])

    public var identity: Identity
    public private(set) var club = ResourceID.zero
    public private(set) var clubKey: Int64 = 0
    public private(set) var book = ResourceID.zero
    public private(set) var bookKey: Int64 = 0
    /// The book's; never sent.
    public private(set) var pageCount: Int32?
    /// Where on the list: smaller ones come first, of equal ones the older. 0 to 1,000,000.
    public var place: Int32 = 0
    public var state = State.planned

    public init(_ identity: Identity) { self.identity = identity }

    public init(
        id: ResourceID, club: (id: ResourceID, key: Int64), book: (id: ResourceID, key: Int64), place: Int32,
        state: State, createdAt: Instant
    ) {
        self.init(Identity(id, madeAt: createdAt))
        (self.club, clubKey) = club
        (self.book, bookKey) = book
        self.place = place
        self.state = state
    }
}

/// What a request says of a book on a club's list.
public typealias ClubBookPatch = MergePatch<ClubBook>

public import JSON

/// A club's reading of a book: planned, current or past, or a proposal. A book that the club reads again has another
/// run.
public struct ClubRun: Resource {
    public static let kind = ResourceKind.run
    public static let fields = ResourceFields<ClubRun>([
        .link("club", { $0.club }, { $0.club = $1 }, key: { $0.clubKey }, { $0.clubKey = $1 }),
        .link("book", { $0.book }, { $0.book = $1 }, key: { $0.bookKey }, { $0.bookKey = $1 }),
        ResourceField("title", { $0.title }, { $0.title = $1 }),
        ResourceField("place", .number(0...1_000_000), { $0.place }, { $0.place = $1 }),
        ResourceField("state", .choice, { $0.state }, { $0.state = $1 }),
        .unsent("books.page_count", .joined, { $0.pageCount }, { $0.pageCount = $1 }),
        .sparse("startsAt", rule: .moment, { $0.startsAt }, { $0.startsAt = $1 }),
        .sparse("endsAt", rule: .moment, { $0.endsAt }, { $0.endsAt = $1 }),
        .sparse("edition", rule: .id, { $0.edition }, { $0.edition = $1 }),
        .sparse(
            "proposedBy",
            columns: [
                DatabaseColumn("proposers.id", .joined, { $0.proposedBy }, { $0.proposedBy = $1 }),
                DatabaseColumn("proposer", .fixed, { $0.proposerKey }, { $0.proposerKey = $1 }),
            ], { $0.proposedBy }, { $0.proposedBy = $1 }),
    ])

    public var identity: CommonResourceFields
    public private(set) var club = ResourceID.zero
    public private(set) var clubKey: Int64 = 0
    public private(set) var book = ResourceID.zero
    public private(set) var bookKey: Int64 = 0
    /// The title of the book.
    public var title = ""
    /// The book's number of pages; never sent.
    public private(set) var pageCount: Int32?
    /// The place on the list, 0 to 1,000,000. Smaller ones come first, and of equal ones the older run.
    public var place: Int32 = 0
    public var state = ClubRunState.planned
    public var startsAt: Instant?
    public var endsAt: Instant?
    /// The default edition for the club's positions, or `nil` for the book's pages.
    public var edition: ResourceID?
    /// The reader who proposed the run, or `nil` if nobody did.
    public private(set) var proposedBy: ResourceID?
    public private(set) var proposerKey: Int64?

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    public init(id: ResourceID, club: RowReference, book: Book, place: Int32, state: ClubRunState, createdAt: Instant) {
        self.init(CommonResourceFields(id, madeAt: createdAt))
        (self.club, clubKey) = club
        (self.book, bookKey, title) = (book.id, book.key, book.title)
        self.place = place
        self.state = state
    }

    public mutating func propose(by reader: RowReference) {
        (proposedBy, proposerKey) = (reader.id, reader.key)
    }
}

/// The state of a run. The raw values are stored and sent.
public enum ClubRunState: String, StorableValue, CaseIterable {
    case planned
    case current
    case read
    /// A member proposed it, and the club has not decided.
    case proposed
    /// The club did not choose it, or did not finish it.
    case dropped
}

/// The fields of a request that creates or changes a run.
public typealias ClubRunPatch = MergePatch<ClubRun>

/// The body of a request that creates a run.
public struct ClubRunDraft: RequestBody {
    /// The book.
    public let book: ResourceID
    public let fields: ClubRunPatch

    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        book = decoder.requiredID("book")
        fields = ClubRunPatch(&decoder, .whole)
    }
}

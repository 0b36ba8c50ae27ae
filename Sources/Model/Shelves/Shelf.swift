public import JSON

/// A reader's list of books, in the reader's order.
public struct Shelf: Resource {
    public static let kind = ResourceKind.shelf
    public static let fields = ResourceFields<Shelf>([
        .link("reader", { $0.reader }, { $0.reader = $1 }, key: { $0.readerKey }, { $0.readerKey = $1 }),
        ResourceField("name", .text(1...100), { $0.name }, { $0.name = $1 }),
        .link("club", { $0.club }, { $0.club = $1 }, key: { $0.clubKey }, { $0.clubKey = $1 }, changes: true),
        .computed("isWantToRead") { $0.isWantToRead },
    ])

    public var identity: CommonResourceFields
    public private(set) var reader = ResourceID.zero
    public private(set) var readerKey: Int64 = 0
    /// The name, 1 to 100 characters.
    public var name = ""
    /// The club whose members see the shelf, or `nil` for a private one.
    public private(set) var club: ResourceID?
    public private(set) var clubKey: Int64?

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    public init(id: ResourceID, reader: RowReference, createdAt: Instant) {
        self.init(CommonResourceFields(id, madeAt: createdAt))
        (self.reader, readerKey) = reader
    }

    /// A Boolean value indicating whether this is the shelf that each reader has from the start. It has the reader's
    /// id.
    public var isWantToRead: Bool { id == reader }

    /// Shares the shelf with a club, or makes it private.
    public mutating func share(with club: Club?) { (self.club, clubKey) = (club?.id, club?.key) }
}

/// The body of a request that creates or changes a shelf.
public struct ShelfPatch: RequestBody {
    public let fields: MergePatch<Shelf>
    public let club: DecodedMember<ResourceID>

    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        fields = MergePatch(&decoder, form)
        club = decoder.resourceID("club")
    }
}

/// A book on a shelf.
public struct ShelfBook: Resource {
    public static let kind = ResourceKind.shelfBook
    public static let fields = ResourceFields<ShelfBook>([
        .link("shelf", from: "shelves.id", { $0.shelf }, { $0.shelf = $1 }, key: { $0.shelfKey }, { $0.shelfKey = $1 }),
        .link("book", { $0.book }, { $0.book = $1 }, key: { $0.bookKey }, { $0.bookKey = $1 }),
        ResourceField("place", .number(0...1_000_000), { $0.place }, { $0.place = $1 }),
        .unsent("shelves.reader", .joined, { $0.readerKey }, { $0.readerKey = $1 }),
    ])

    public var identity: CommonResourceFields
    public private(set) var shelf = ResourceID.zero
    public private(set) var shelfKey: Int64 = 0
    public private(set) var readerKey: Int64 = 0
    public private(set) var book = ResourceID.zero
    public private(set) var bookKey: Int64 = 0
    /// The place on the shelf, 0 to 1,000,000. Smaller ones come first, and of equal ones the older book.
    public var place: Int32 = 0

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    public init(id: ResourceID, on shelf: Shelf, _ book: Book, place: Int32, createdAt: Instant) {
        self.init(CommonResourceFields(id, madeAt: createdAt))
        (self.shelf, shelfKey, readerKey) = (shelf.id, shelf.key, shelf.readerKey)
        (self.book, bookKey) = (book.id, book.key)
        self.place = place
    }
}

/// A book of the catalogue, which every reader shares.
public struct Book: Resource {
    public static let kind = ResourceKind.book
    public static let fields = Fields<Book>([
        Field("title", .text(1...500), { $0.title }, { $0.title = $1 }),
        Field("authors", .names, { $0.authors }, { $0.authors = $1 }),
        Field("isbn", .isbn, { $0.isbn }, { $0.isbn = $1 }),
        Field("pageCount", .number(pageCounts), { $0.pageCount }, { $0.pageCount = $1 }),
        Field("language", .language, { $0.language }, { $0.language = $1 }),
        Field("publishedYear", .number(-5000...9999), { $0.publishedYear }, { $0.publishedYear = $1 }),
        Field("coverURL", .url, { $0.coverURL }, { $0.coverURL = $1 }),
        .sparse("coverDigest", { $0.coverDigest }, { $0.coverDigest = $1 }),
        .kept("card_version", .changing, { $0.cardVersion }, { $0.cardVersion = $1 }),
        .kept("sort_title", .changing, isRead: false, { $0.sortTitle }, { _, _ in }),
        .kept("sort_author", .changing, isRead: false, { $0.sortAuthor }, { _, _ in }),
        .kept("added_by", .fixed, isRead: false, { $0.adderKey }, { $0.adderKey = $1 }),
    ])

    /// The fields that a card shows.
    public static let fieldsOfCard = fields["title", "authors", "coverURL", "coverDigest"]
    /// The fields that the index of words has.
    public static let fieldsOfSearch = fields["title", "authors", "language"]
    /// How many pages there may be.
    static let pageCounts: ClosedRange<Int64> = 1...100_000

    public var identity: Identity
    /// Of a new one the key of the row of the reader who added it; nil for the house.
    public var adderKey: Int64?
    /// The `seq` of its last change that a card shows.
    public var cardVersion: Int64 = 0
    /// 1 to 500 characters.
    public var title = ""
    /// In the order of the title page; may be empty.
    public var authors: [String] = []
    /// Thirteen digits.
    public var isbn: String?
    /// 1 to 100,000.
    public var pageCount: Int32?
    /// A BCP 47 tag.
    public var language: String?
    /// Negative before the common era.
    public var publishedYear: Int32?
    /// An http or https URL.
    public var coverURL: String?
    /// The digest of the uploaded cover: see `CoverImage`.
    public var coverDigest: String?

    public init(_ identity: Identity) { self.identity = identity }

    /// A book with a title and nothing else.
    public init(id: ResourceID, title: String = "", authors: [String] = [], createdAt: Instant) {
        self.init(Identity(id, madeAt: createdAt))
        self.title = title
        self.authors = authors
    }

    /// What titles are sorted by.
    public var sortTitle: String { SortKey(title: title, language: language).text }

    /// What authors are sorted by.
    public var sortAuthor: String { SortKey(authors: authors, title: title, language: language).text }
}

/// A book of the catalogue, which all readers share.
public struct Book: Resource {
    public static let kind = ResourceKind.book
    public static let fields = ResourceFields<Book>([
        ResourceField("title", .text(1...500), { $0.title }, { $0.title = $1 }),
        ResourceField("authors", .names, { $0.authors }, { $0.authors = $1 }),
        ResourceField("isbn", .isbn, { $0.isbn }, { $0.isbn = $1 }),
        ResourceField("pageCount", .number(pageCounts), { $0.pageCount }, { $0.pageCount = $1 }),
        ResourceField("language", .language, { $0.language }, { $0.language = $1 }),
        ResourceField("publishedYear", .number(-5000...9999), { $0.publishedYear }, { $0.publishedYear = $1 }),
        ResourceField("coverURL", .url, { $0.coverURL }, { $0.coverURL = $1 }),
        .sparse("coverDigest", { $0.coverDigest }, { $0.coverDigest = $1 }),
        .unsent("card_version", .changing, { $0.cardVersion }, { $0.cardVersion = $1 }),
        .unsent("sort_title", .changing, isRead: false, { $0.sortTitle }, { _, _ in }),
        .unsent("sort_author", .changing, isRead: false, { $0.sortAuthor }, { _, _ in }),
        .unsent("added_by", .fixed, isRead: false, { $0.adderKey }, { $0.adderKey = $1 }),
    ])

    /// The fields that a card shows.
    public static let fieldsOfCard = fields["title", "authors", "coverURL", "coverDigest"]
    /// The fields that the search index covers.
    public static let fieldsOfSearch = fields["title", "authors", "language"]
    /// The allowed page counts.
    static let pageCounts: ClosedRange<Int64> = 1...100_000

    public var identity: CommonResourceFields
    /// The row key of the reader who added the book, set only on a new book. `nil` if the server added it.
    public var adderKey: Int64?
    /// The `seq` of the last change of a field that cards show.
    public var cardVersion: Int64 = 0
    /// The title, 1 to 500 characters.
    public var title = ""
    /// The names of the authors, in the order of the title page. May be empty.
    public var authors: [String] = []
    /// The ISBN, as thirteen digits.
    public var isbn: String?
    /// The number of pages, 1 to 100,000.
    public var pageCount: Int32?
    /// The language, a BCP 47 tag.
    public var language: String?
    /// The year of publication. Negative before the common era.
    public var publishedYear: Int32?
    /// The http or https URL of a cover.
    public var coverURL: String?
    /// The digest of the uploaded cover: see `CoverImage`.
    public var coverDigest: String?

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    /// Creates a book with a title and authors.
    public init(id: ResourceID, title: String = "", authors: [String] = [], createdAt: Instant) {
        self.init(CommonResourceFields(id, madeAt: createdAt))
        self.title = title
        self.authors = authors
    }

    /// The key by which the book is sorted by title.
    public var sortTitle: String { BookSortKey(title: title, language: language).text }

    /// The key by which the book is sorted by author.
    public var sortAuthor: String { BookSortKey(authors: authors, title: title, language: language).text }
}

/// The view of a reading on a shelf (`BookCard`): a projection of a reading and its book.
public struct BookCard: Resource {
    public static let kind = ResourceKind.card
    /// The fields, those of the book first. They include everything that can change in a reading.
    public static let fields = ResourceFields<BookCard>([
        .computed("book") { $0.reading.book },
        .computed("title") { $0.book.title },
        .computed("authors") { $0.book.authors },
        .computed("coverURL") { $0.book.coverURL },
        .computed("pageCount") { $0.reading.pageCount },
        .computed("isReread") { $0.reading.number > 1 },
        .computed("state") { $0.reading.state },
        .computed("isFinished") { $0.reading.isFinished },
        .computed("progress") { $0.reading.progress },
        .computed("page") { $0.reading.page },
        .computed("latestEntry") { $0.reading.latestEntry },
        .computed("latestEntryAt") { $0.reading.latestEntryAt },
        .computed("finishedAt") { $0.reading.finishedAt },
        .sparse(computed: "coverDigest") { $0.book.coverDigest },
        .sparse(computed: "edition") { $0.reading.edition },
        .sparse(computed: "position") { $0.reading.position },
        .sparse(computed: "startedAt") { $0.reading.startedAt },
    ])

    /// The reading's id and the version of the last change, of the reading or the book, that the card shows.
    public var identity: CommonResourceFields
    public private(set) var reading: Reading
    public private(set) var book: Book

    /// Creates an empty card.
    public init(_ identity: CommonResourceFields) {
        self.identity = identity
        (reading, book) = (Reading(identity), Book(identity))
    }

    public init(reading: Reading, book: Book) {
        identity = CommonResourceFields(
            key: reading.key, id: reading.id, version: max(reading.version, book.cardVersion))
        self.reading = reading
        self.book = book
    }
}

public import JSON

/// What a shelf shows of a reading (`BookCard`): a projection over a reading and its book.
public struct Card: Resource {
    /// The reading.
    public let reading: Reading
    /// Its book.
    public let book: Book
    /// The `seq` of the last change of either that the card shows.
    public var version: Int64

    /// The card of a reading of that book.
    public init(reading: Reading, book: Book) {
        self.reading = reading
        self.book = book
        version = max(reading.version, book.cardVersion)
    }

    /// The key of the reading's row.
    public var key: Int64 { reading.key }
    /// The reading's id.
    public var id: ResourceID { reading.id }
    /// Never: a card is a view.
    public var createdAt: Instant? { nil }
    /// Never: a card is a view.
    public var updatedAt: Instant? {
        get { nil }
        set {}
    }

    /// See `ResourceKind.card`.
    public static let kind = ResourceKind.card

    /// The fields, first those of the book. All that can change of a reading is among them.
    public static let fieldNames: [StaticString] = [
        "book", "title", "authors", "coverURL", "pageCount", "isReread", "state", "isFinished", "progress", "page",
        "latestEntry", "latestEntryAt", "finishedAt",
    ]

    /// Whether cards may look otherwise after a change than before it.
    public static func isAffected(by change: Change) -> Bool {
        switch (change.kind, change.operation) {
        case (.reading, _): true
        // A new book has no card yet, and one that has cannot be deleted.
        case (.book, .updated): !change.changed.isDisjoint(with: Book.fieldsOfCard)
        default: false
        }
    }

    /// Writes the value of the field at an index.
    public func write(field index: Int, to json: inout JSONWriter) {
        switch index {
        case 0: json.id(reading.book)
        case 1: json.string(book.title)
        case 2: json.strings(book.authors)
        case 3: json.optional(book.coverURL)
        case 4: json.optional(reading.pageCount)
        case 5: json.bool(reading.number > 1)
        case 6: json.string(reading.state.rawValue)
        case 7: json.bool(reading.isFinished)
        case 8: json.progress(reading.progress)
        case 9: json.optional(reading.page)
        case 10: json.optional(reading.latestEntry)
        case 11: json.instant(reading.latestEntryAt)
        default: json.instant(reading.finishedAt)
        }
    }
}

/// A reader's reading of a book (`CurrentlyReading`).
public struct Reading: Resource {
    public static let kind = ResourceKind.reading
    public static let fields = ResourceFields<Reading>([
        .link("reader", { $0.reader }, { $0.reader = $1 }, key: { $0.readerKey }, { $0.readerKey = $1 }),
        .link("book", { $0.book }, { $0.book = $1 }, key: { $0.bookKey }, { $0.bookKey = $1 }),
        .fixed("number", { $0.number }, { $0.number = $1 }),
        .computed("isReread") { $0.number > 1 },
        ResourceField("state", { $0.state }, { $0.state = $1 }),
        .computed("isFinished") { $0.isFinished },
        ResourceField("progress", { $0.progress }, { $0.progress = $1 }),
        ResourceField("page", { $0.page }, { $0.page = $1 }),
        ResourceField("pageCount", { $0.pageCount }, { $0.pageCount = $1 }),
        ResourceField("latestEntry", { $0.latestEntry }, { $0.latestEntry = $1 }),
        ResourceField("latestEntryAt", { $0.latestEntryAt }, { $0.latestEntryAt = $1 }),
        ResourceField("finishedAt", { $0.finishedAt }, { $0.finishedAt = $1 }),
        .unsent(
            "EXISTS (SELECT 1 FROM members WHERE members.reader = readings.reader)", .joined, { $0.isOfMember },
            { $0.isOfMember = $1 }),
        .sparse("edition", { $0.edition }, { $0.edition = $1 }),
        .sparse("position", { $0.position }, { $0.position = $1 }),
        .sparse("startedAt", { $0.startedAt }, { $0.startedAt = $1 }),
    ])

    public var identity: CommonResourceFields
    public private(set) var reader = ResourceID.zero
    /// The key of the reader's row, which is also the reading's scope.
    public var readerKey: Int64 = 0
    public private(set) var book = ResourceID.zero
    public private(set) var bookKey: Int64 = 0
    /// A Boolean value indicating whether the reader was in a club when the row was read. Not part of the reading.
    public var isOfMember = false
    /// The number of the reading: 1 for the reader's first one of the book, 2 for the first re-read.
    public var number: Int32 = 1
    /// The maximum number of readings of a book by one reader.
    public static let numberMax: Int32 = 1_000_000
    public var state = ReadingState.reading
    /// The progress of the latest entry, or the whole book while the reading is finished.
    public var progress = Progress.none
    /// The page at `progress`, if `pageCount` is known.
    public var page: Int32?
    /// The number of pages in the reader's edition, at first that of the book at the time. Pages in entries count by
    /// it, and only the reader changes it.
    public var pageCount: Int32?
    /// The edition, if the reader chose one.
    public var edition: ResourceID?
    /// The position of the latest entry, converted to the unit of the edition; `nil` where neither is known.
    public var position: Position?
    /// The latest entry by its time.
    public var latestEntry: ResourceID?
    /// The time of `latestEntry`.
    public var latestEntryAt: Instant?
    /// The time of completion, or `nil` unless the reading is finished.
    public var finishedAt: Instant?
    /// The time at which the reading began, if the reader gave one.
    public var startedAt: Instant?

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    /// Creates a reading that begins now.
    public init(id: ResourceID, reader: RowReference, book: RowReference, number: Int32, createdAt: Instant) {
        self.init(CommonResourceFields(id, madeAt: createdAt))
        (self.reader, readerKey) = reader
        (self.book, bookKey) = book
        self.number = number
    }

    /// A Boolean value indicating whether the reading is finished. Its progress is then the whole book.
    public var isFinished: Bool { state == .finished }

    /// A Boolean value indicating whether the book is being read, or paused.
    public var isOpen: Bool { state == .reading || state == .paused }

    /// Returns whether an entry at a time, or now, can be recorded. A finished reading accepts only entries dated no
    /// later than its end.
    public func mayTake(entryOf happenedAt: Instant?) -> Bool {
        guard isFinished else { return true }
        guard let happenedAt, let finishedAt else { return false }
        return happenedAt <= finishedAt
    }

    /// The time at which the reading began, as far as it is known. A reading that finished before it was recorded began
    /// at an unknown time.
    public var beganAt: Instant? {
        if let startedAt { return startedAt }
        guard let createdAt, let finishedAt, finishedAt < createdAt else { return createdAt }
        return nil
    }

    /// Changes the number of pages. The progress stays, and the page is computed again.
    public mutating func change(pageCount count: Int32?) {
        guard count != pageCount else { return }
        pageCount = count
        page = count.map(progress.page(of:))
    }
}

/// The state of a reading. The raw values are stored and sent.
public enum ReadingState: String, StorableValue, CaseIterable {
    case reading
    case paused
    case finished
    case abandoned
}

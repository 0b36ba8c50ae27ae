/// One reader's way through one book (`CurrentlyReading`).
public struct Reading: Resource {
    /// Where it stands. The raw values are stored and sent.
    public enum State: String, Storable, CaseIterable {
        case reading
        case paused
        case finished
        case abandoned
    }

    public static let kind = ResourceKind.reading
    public static let fields = Fields<Reading>([
        .link(
            "reader", from: "readers.id", { $0.reader }, { $0.reader = $1 }, key: "reader", { $0.readerKey },
            { $0.readerKey = $1 }),
        .link(
            "book", from: "books.id", { $0.book }, { $0.book = $1 }, key: "book", { $0.bookKey }, { $0.bookKey = $1 }),
        .fixed("number", { $0.number }, { $0.number = $1 }),
        .computed("isReread") { $0.number > 1 },
        Field("state", { $0.state }, { $0.state = $1 }),
        .computed("isFinished") { $0.isFinished },
        Field("progress", { $0.progress }, { $0.progress = $1 }),
        Field("page", { $0.page }, { $0.page = $1 }),
        Field("pageCount", { $0.pageCount }, { $0.pageCount = $1 }),
        Field("latestEntry", { $0.latestEntry }, { $0.latestEntry = $1 }),
        Field("latestEntryAt", { $0.latestEntryAt }, { $0.latestEntryAt = $1 }),
        Field("finishedAt", { $0.finishedAt }, { $0.finishedAt = $1 }),
        .sparse("edition", { $0.edition }, { $0.edition = $1 }),
        .sparse("position", { $0.position }, { $0.position = $1 }),
        .sparse("startedAt", { $0.startedAt }, { $0.startedAt = $1 }),
    ])

    public var identity: Identity
    public private(set) var reader = ResourceID.zero
    /// The key of the reader's row, which is also the reading's scope.
    public var readerKey: Int64 = 0
    public private(set) var book = ResourceID.zero
    public private(set) var bookKey: Int64 = 0
    /// Whether its reader was in a club when it was read from the database; not part of it.
    public var isOfMember = false
    /// 1 for the reader's first reading of the book, 2 for the first re-read.
    public var number: Int32 = 1
    /// Nobody reads a book more often.
    public static let numberMax: Int32 = 1_000_000
    public var state = State.reading
    /// The latest entry's progress, and the whole while it is finished.
    public var progress = Progress.none
    /// The page that goes with `progress`, where `pageCount` is known.
    public var page: Int32?
    /// The pages of the edition that is read: at first those of the book as it is then. Pages that its reader says are read by
    /// it, and nobody else changes it.
    public var pageCount: Int32?
    /// The edition that is read, where its reader said one.
    public var edition: ResourceID?
    /// The latest entry's position, or the same in what the edition is counted in; nil where neither is known.
    public var position: Position?
    /// The entry that happened last.
    public var latestEntry: ResourceID?
    /// When that entry happened.
    public var latestEntryAt: Instant?
    /// Nil unless it is finished.
    public var finishedAt: Instant?
    /// When it began, where its reader said so.
    public var startedAt: Instant?

    public init(_ identity: Identity) { self.identity = identity }

    /// A reading that has just begun.
    public init(
        id: ResourceID, reader: (id: ResourceID, key: Int64), book: (id: ResourceID, key: Int64), number: Int32,
        createdAt: Instant
    ) {
        self.init(Identity(id, madeAt: createdAt))
        (self.reader, readerKey) = reader
        (self.book, bookKey) = book
        self.number = number
    }

    /// Whether it is finished; then its progress is the whole.
    public var isFinished: Bool { state == .finished }

    /// Whether it is being read, with a pause or without.
    public var isOpen: Bool { state == .reading || state == .paused }

    /// Whether an entry of that time, or of now, can be recorded: in a finished reading only one that is dated no later than its end.
    public func mayTake(entryOf happenedAt: Instant?) -> Bool {
        guard isFinished else { return true }
        guard let happenedAt, let finishedAt else { return false }
        return happenedAt <= finishedAt
    }

    /// When it began, as far as that is known. What was finished before it was written down began at some time before that.
    public var beganAt: Instant? {
        if let startedAt { return startedAt }
        guard let createdAt, let finishedAt, finishedAt < createdAt else { return createdAt }
        return nil
    }

    /// Another number of pages: where the reader is stays, and the page that goes with it is by those.
    public mutating func change(pageCount count: Int32?) {
        guard count != pageCount else { return }
        pageCount = count
        page = count.map(progress.page(of:))
    }
}

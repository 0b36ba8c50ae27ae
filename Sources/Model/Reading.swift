public import JSON

/// One reader's way through one book (`CurrentlyReading`).
public struct Reading: Resource {
    /// Where it stands. The raw values are stored and sent.
    public enum State: String, Sendable, CaseIterable {
        case reading
        case paused
        case finished
        case abandoned
    }

    /// The row's key; 0 before it is stored, and never sent.
    public var key: Int64 = 0
    /// The key of the reader's row, which is also the reading's scope.
    public var readerKey: Int64
    /// The key of the book's row.
    public var bookKey: Int64
    /// Whether its reader was in a club when it was read from the database; not part of it.
    public var isOfMember = false
    /// The public id.
    public let id: ResourceID
    /// The `seq` of its last change.
    public var version: Int64 = 0
    /// Whose it is.
    public let reader: ResourceID
    /// Of which book.
    public let book: ResourceID
    /// 1 for the reader's first reading of the book, 2 for the first re-read.
    public let number: Int32
    /// Where it stands.
    public var state = State.reading
    /// The latest entry's progress, and the whole while it is finished.
    public var progress = Progress.none
    /// The page that goes with `progress`, where `pageCount` is known.
    public var page: Int32?
    /// The pages of the edition that is read: at first those of the book as it is then. Pages that its reader says are read by
    /// it, and nobody else changes it.
    public var pageCount: Int32?
    /// The entry that happened last.
    public var latestEntry: ResourceID?
    /// When that entry happened.
    public var latestEntryAt: Instant?
    /// When it was finished; nil unless it is.
    public var finishedAt: Instant?
    /// When it was begun.
    public var createdAt: Instant?
    /// When it last changed.
    public var updatedAt: Instant?

    /// A reading that has just begun.
    public init(
        id: ResourceID, reader: (id: ResourceID, key: Int64), book: (id: ResourceID, key: Int64), number: Int32,
        createdAt: Instant
    ) {
        self.id = id
        self.reader = reader.id
        readerKey = reader.key
        self.book = book.id
        bookKey = book.key
        self.number = number
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    /// Whether it is finished; then its progress is the whole.
    public var isFinished: Bool { state == .finished }

    /// Whether it is being read, with a pause or without.
    public var isOpen: Bool { state == .reading || state == .paused }

    /// Another edition: where the reader is stays, and the page that goes with it is that edition's.
    public mutating func change(pageCount count: Int32?) {
        guard count != pageCount else { return }
        pageCount = count
        page = count.map(progress.page(of:))
    }

    /// See `ResourceKind.reading`.
    public static let kind = ResourceKind.reading

    /// The fields; the first four never change.
    public static let fieldNames: [StaticString] = [
        "reader", "book", "number", "isReread", "state", "isFinished", "progress", "page", "pageCount",
        "latestEntry", "latestEntryAt", "finishedAt",
    ]

    /// Writes the value of the field at an index.
    public func write(field index: Int, to json: inout JSONWriter) {
        switch index {
        case 0: json.id(reader)
        case 1: json.id(book)
        case 2: json.integer(Int64(number))
        case 3: json.bool(number > 1)
        case 4: json.string(state.rawValue)
        case 5: json.bool(isFinished)
        case 6: json.progress(progress)
        case 7: json.optional(page)
        case 8: json.optional(pageCount)
        case 9: json.optional(latestEntry)
        case 10: json.instant(latestEntryAt)
        default: json.instant(finishedAt)
        }
    }
}

public import JSON

/// One mark on a reader's way (`ReadingProgress.Entry`): how far, when, and a thought.
public struct Entry: Resource {
    /// The row's key; 0 before it is stored, and never sent.
    public var key: Int64 = 0
    /// The key of the reading's row.
    public var readingKey: Int64
    /// The key of the row of the reading's reader, which is also the entry's scope.
    public var readerKey: Int64
    /// The public id.
    public let id: ResourceID
    /// The `seq` of its only change: an entry is made and, at most, deleted.
    public var version: Int64 = 0
    /// The reading it belongs to.
    public let reading: ResourceID
    /// How far.
    public let progress: Progress
    /// The page that goes with it, where the book's pages are known.
    public let page: Int32?
    /// Up to 10,000 characters, kept as written.
    public let note: String?
    /// The device that sent it, as it calls itself; up to 100 characters.
    public let device: String?
    /// When it happened, as the client says.
    public let happenedAt: Instant
    /// When the server received it.
    public let receivedAt: Instant
    /// Never: `receivedAt` says it.
    public var createdAt: Instant? { nil }
    /// Never: an entry does not change.
    public var updatedAt: Instant?

    /// An entry with all that it says.
    public init(
        id: ResourceID, reading: (id: ResourceID, key: Int64), readerKey: Int64, progress: Progress, page: Int32?,
        note: String?,
        device: String?, happenedAt: Instant, receivedAt: Instant
    ) {
        self.id = id
        self.reading = reading.id
        readingKey = reading.key
        self.readerKey = readerKey
        self.progress = progress
        self.page = page
        self.note = note
        self.device = device
        self.happenedAt = happenedAt
        self.receivedAt = receivedAt
    }

    /// When it counts as having happened, at some moment from its reception on: not after it was received, whatever the
    /// device's clock said, nor after now, whatever the server's own clock said then.
    public func takesPlace(_ now: Instant) -> Instant { min(happenedAt, receivedAt, now) }

    /// See `ResourceKind.entry`.
    public static let kind = ResourceKind.entry

    /// The fields; none can change.
    public static let fieldNames: [StaticString] = [
        "reading", "progress", "page", "note", "device", "happenedAt", "receivedAt",
    ]

    /// Writes the value of the field at an index.
    public func write(field index: Int, to json: inout JSONWriter) {
        switch index {
        case 0: json.id(reading)
        case 1: json.progress(progress)
        case 2: json.optional(page)
        case 3: json.optional(note)
        case 4: json.optional(device)
        case 5: json.instant(happenedAt)
        default: json.instant(receivedAt)
        }
    }
}

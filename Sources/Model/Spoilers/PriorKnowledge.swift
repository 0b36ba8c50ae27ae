public import JSON

/// A reader's prior knowledge of a book. It makes notes visible as an entry at its position does. It is not a reading:
/// nobody else sees it, and nothing counts it.
public struct PriorKnowledge: Resource {
    public static let kind = ResourceKind.knowledge
    public static let fields = ResourceFields<PriorKnowledge>([
        .link("reader", { $0.reader }, { $0.reader = $1 }, key: { $0.readerKey }, { $0.readerKey = $1 }),
        .link("book", { $0.book }, { $0.book = $1 }, key: { $0.bookKey }, { $0.bookKey = $1 }),
        ResourceField("through", { $0.through }, { $0.through = $1 }),
        ResourceField("progress", { $0.progress }, { $0.progress = $1 }),
        .scaled(.changing, { $0.scaled }, { $0.scaled = $1 }),
    ])

    public var identity: CommonResourceFields
    public private(set) var reader = ResourceID.zero
    public private(set) var readerKey: Int64 = 0
    public private(set) var book = ResourceID.zero
    public private(set) var bookKey: Int64 = 0
    /// The position up to which the book is known, as the client sent it; `nil` for all of it.
    public private(set) var through: Position?
    /// The share of the book that is known.
    public private(set) var progress = Progress.whole
    /// The position's amounts in all scales; empty for the whole book.
    public private(set) var scaled = ScaledPosition()

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    /// Creates knowledge of the whole book.
    public init(of reader: RowReference, book: RowReference, createdAt: Instant) {
        self.init(CommonResourceFields(Self.id(of: reader.id, book: book.id), madeAt: createdAt))
        (self.reader, readerKey) = reader
        (self.book, bookKey) = book
    }

    /// Derives the id from the reader and the book. Knowledge that is set again then has the same id, and streams that
    /// watch it continue.
    public static func id(of reader: ResourceID, book: ResourceID) -> ResourceID {
        ResourceID(following: [reader, book].flatMap { $0.withBytes { Array($0) } })
    }

    /// Sets the position up to which the reader knows the book; `nil` for all of it.
    public mutating func know(_ resolved: ResolvedPosition?, _ scaled: ScaledPosition) {
        (through, progress) = (resolved?.position, resolved?.share ?? .whole)
        self.scaled = scaled
    }
}

/// The body of a request that sets prior knowledge of a book.
public struct PriorKnowledgeDraft: RequestBody {
    /// The position up to which the book is known, or `nil` for all of it. A chapter without `within` counts to its
    /// end.
    public let through: Position?

    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        through = decoder.position("through", within: .whole).value
    }
}

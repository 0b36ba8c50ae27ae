public import JSON

/// How far a reader knows a book already. It shows notes as an entry there does, and is no reading: nobody else sees it, and nothing
/// counts it.
public struct Knowledge: Resource {
    public static let kind = ResourceKind.knowledge
    public static let fields = Fields<Knowledge>([
        .link(
            "reader", from: "readers.id", { $0.reader }, { $0.reader = $1 }, key: "reader", { $0.readerKey },
            { $0.readerKey = $1 }),
        .link(
            "book", from: "books.id", { $0.book }, { $0.book = $1 }, key: "book", { $0.bookKey }, { $0.bookKey = $1 }),
        Field("through", { $0.through }, { $0.through = $1 }),
        Field("progress", { $0.progress }, { $0.progress = $1 }),
        .scaled(.changing, { $0.scaled }, { $0.scaled = $1 }),
    ])

    public var identity: Identity
    public private(set) var reader = ResourceID.zero
    public private(set) var readerKey: Int64 = 0
    public private(set) var book = ResourceID.zero
    public private(set) var bookKey: Int64 = 0
    /// How far, as it was said; nil for all of it.
    public private(set) var through: Position?
    /// The plain share of the book that this is.
    public private(set) var progress = Progress.whole
    /// Its amounts; none for all of it.
    public private(set) var scaled = ScaledPosition()

    public init(_ identity: Identity) { self.identity = identity }

    /// That they know all of it.
    public init(
        of reader: (id: ResourceID, key: Int64), book: (id: ResourceID, key: Int64), createdAt: Instant
    ) {
        self.init(Identity(Self.id(of: reader.id, book: book.id), madeAt: createdAt))
        (self.reader, readerKey) = reader
        (self.book, bookKey) = book
    }

    /// It follows from whose it is and of what, so that what is said again is the same: who watches it goes on hearing of it.
    public static func id(of reader: ResourceID, book: ResourceID) -> ResourceID {
        ResourceID(following: [reader, book].flatMap { $0.withBytes { Array($0) } })
    }

    /// Sets how far the reader knows the book; nil for all of it.
    public mutating func know(_ resolved: ResolvedPosition?, _ scaled: ScaledPosition) {
        (through, progress) = (resolved?.position, resolved?.share ?? .whole)
        self.scaled = scaled
    }

    /// The same for another reader: an account may be imported under another id.
    public func taken(by reader: (id: ResourceID, key: Int64), createdAt: Instant) -> Knowledge {
        var taken = Knowledge(of: reader, book: (book, bookKey), createdAt: createdAt)
        taken.updatedAt = updatedAt
        if through != nil { (taken.through, taken.progress, taken.scaled) = (through, progress, scaled) }
        return taken
    }
}

/// What a request says of how far its reader knows a book.
public struct KnowledgeDraft: Sendable {
    /// How far: a chapter that does not say `within` is known to its end. Nil for all of it.
    public let through: Position?

    public init(through: Position?) { self.through = through }

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        through = decoder.position("through", within: .whole).value
        try decoder.demandValid()
    }
}

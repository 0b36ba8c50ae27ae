public import JSON

/// How much of a book a reader knows already: all of it, or as far as a place. It opens notes as an entry there does, and is no
/// reading: nobody but its reader hears of it, and nothing counts it.
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
        .kept("frame", .changing, { $0.frame }, { $0.frame = $1 }),
        .kept("frame_at", .changing, { $0.inFrame }, { $0.inFrame = $1 }),
        .kept("chapters_at", .changing, { $0.leastByChapters }, { $0.leastByChapters = $1 }),
        .kept("floor", .changing, { $0.floor }, { $0.floor = $1 }),
        .kept("ceiling", .changing, { $0.ceiling }, { $0.ceiling = $1 }),
    ])

    public var identity: Identity
    public private(set) var reader = ResourceID.zero
    public private(set) var readerKey: Int64 = 0
    public private(set) var book = ResourceID.zero
    public private(set) var bookKey: Int64 = 0
    /// As far as where, as it was said; nil for all of it.
    public private(set) var through: SaidPlace?
    /// How much of the story that is.
    public private(set) var progress = Progress.whole
    /// See `Entry.frame`.
    public private(set) var frame: Int64?
    /// See `Entry.inFrame`.
    public private(set) var inFrame: Int64?
    /// See `Entry.leastByChapters`.
    public private(set) var leastByChapters: Int64?
    /// See `Entry.floor`.
    public private(set) var floor: Progress?
    /// See `Placed.ceiling`.
    public private(set) var ceiling: Progress?

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

    public var isWhole: Bool { progress == .whole }

    /// Is as far as there; nil: all of it.
    public mutating func reach(_ placed: Placed?, frame: Int64?) {
        through = placed?.at
        progress = placed?.share ?? .whole
        self.frame = frame
        inFrame = frame == nil ? nil : placed?.inFrame
        leastByChapters = frame == nil ? nil : placed?.leastByChapters
        floor = frame == nil ? nil : placed?.floor
        ceiling = placed?.ceiling
    }

    /// The same as it is in another house, where it is of another reader, and says what its parts allow.
    public func taken(by reader: (id: ResourceID, key: Int64), createdAt: Instant) -> Knowledge {
        var taken = Knowledge(of: reader, book: (book, bookKey), createdAt: createdAt)
        taken.updatedAt = updatedAt
        guard let through else { return taken }
        (taken.through, taken.progress, taken.frame) = (through, progress, frame)
        taken.inFrame = frame == nil ? nil : inFrame ?? Int64(progress.millionths) * 1000
        taken.leastByChapters = frame == nil ? nil : leastByChapters
        taken.floor = frame == nil ? nil : min(floor ?? .none, progress)
        taken.ceiling = ceiling.map { max($0, progress) }
        return taken
    }

    /// From where on who reads by other numbers has come as far.
    public func opensAt(slack: Progress) -> Progress {
        ceiling ?? Progress(clamping: Int64(progress.millionths) + Int64(slack.millionths))
    }
}

/// What a request says of what its reader knows.
public struct KnowledgeDraft: Sendable {
    /// As far as where: a chapter that says no fraction is known to its end. Nil for all of it.
    public let through: SaidPlace?

    public init(through: SaidPlace?) { self.through = through }

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        through = decoder.place("through", ofChapter: .whole).value
        try decoder.demandValid()
    }
}

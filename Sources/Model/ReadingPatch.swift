public import JSON

/// What a merge patch says of a reading.
public struct ReadingPatch: Sendable {
    /// The state to take; nil leaves it as it is.
    public let state: Change?
    /// The pages of the edition that is read.
    public let pageCount: Patch<Int32>
    /// The edition that is read.
    public let edition: Patch<ResourceID>
    /// When it began.
    public let startedAt: Patch<Instant>
    /// When it was finished; to say it finishes it.
    public let finishedAt: Patch<Instant>

    /// How the state is to change.
    public enum Change: Sendable, Equatable {
        case to(Reading.State)
        /// `isFinished: false`: reading again when it is finished, else as it is.
        case reopen
    }

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        let state: Patch<Reading.State> = decoder.choice("state")
        let finished = decoder.required("isFinished", decoder.bool("isFinished"), .patch)
        startedAt = decoder.instant("startedAt").patch
        finishedAt = decoder.instant("finishedAt").patch
        switch (state, finished) {
        case (.set(let state), .set(let finished)):
            if finished != (state == .finished) { decoder.refuse("isFinished", "contradicts state") }
            self.state = .to(state)
        case (.set(let state), _): self.state = .to(state)
        case (_, .set(true)): self.state = .to(.finished)
        case (_, .set(false)): self.state = .reopen
        default: self.state = finishedAt.said.map { _ in .to(.finished) }
        }
        if finishedAt.said != nil, self.state != .to(.finished) { decoder.refuse("finishedAt", "contradicts state") }
        pageCount = decoder.integer("pageCount", in: Book.pageCounts).patch.map { Int32($0) }
        edition = decoder.resourceID("edition").patch
        try decoder.demandValid()
    }
}

/// What a request says of a new reading.
public struct ReadingDraft: Sendable {
    /// Of which book.
    public let book: ResourceID
    /// The pages of the edition that is read; unsaid, those of the book.
    public let pageCount: Patch<Int32>
    /// The edition that is read; nil for none that is known.
    public let edition: ResourceID?
    /// When it began; nil for what is not known.
    public let startedAt: Instant?
    /// When it was finished; nil for one that is open.
    public let finishedAt: Instant?
    /// Whether the reader, who reads the book already, begins it anew all the same.
    public let isReread: Bool

    /// A reading of a book as it stands in the catalogue.
    public init(book: ResourceID, isReread: Bool = false) {
        self.book = book
        (pageCount, edition, startedAt, finishedAt) = (.keep, nil, nil, nil)
        self.isReread = isReread
    }

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        let text = decoder.required("book", decoder.string("book", length: 1...64), .whole)
        var book = ResourceID(high: 0, low: 0)
        if case .set(let text) = text {
            if let id = ResourceID(text) { book = id } else { decoder.refuse("book", "must be a UUID") }
        }
        self.book = book
        pageCount = decoder.integer("pageCount", in: Book.pageCounts).patch.map { Int32($0) }
        edition = decoder.id("edition", isRequired: false)
        startedAt = decoder.instant("startedAt").patch.said
        finishedAt = decoder.instant("finishedAt").patch.said
        var isReread = false
        decoder.required("isReread", decoder.bool("isReread"), .patch).apply(to: &isReread)
        self.isReread = isReread
        try decoder.demandValid()
    }
}

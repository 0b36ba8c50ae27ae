public import JSON

/// The merge patch of a reading.
public struct ReadingPatch: RequestBody {
    /// The change of the state; `nil` leaves it as it is.
    public let state: ReadingStateChange?
    /// The number of pages in the reader's edition.
    public let pageCount: DecodedMember<Int32>
    /// The reader's edition.
    public let edition: DecodedMember<ResourceID>
    /// The time at which the reading began.
    public let startedAt: DecodedMember<Instant>
    /// The time of completion. Setting it finishes the reading.
    public let finishedAt: DecodedMember<Instant>

    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        let state: ReadingState? = decoder.choice("state")
        let finished = decoder.required("isFinished", decoder.bool("isFinished"), .patch)
        startedAt = decoder.instant("startedAt")
        finishedAt = decoder.instant("finishedAt")
        switch (state, finished) {
        case (let state?, let finished?):
            if finished != (state == .finished) { decoder.refuse("isFinished", "contradicts state") }
            self.state = .to(state)
        case (let state?, nil): self.state = .to(state)
        case (nil, true?): self.state = .to(.finished)
        case (nil, false?): self.state = .reopen
        case (nil, nil): self.state = finishedAt.value.map { _ in .to(.finished) }
        }
        if finishedAt.value != nil, self.state != .to(.finished) { decoder.refuse("finishedAt", "contradicts state") }
        pageCount = decoder.integer("pageCount", in: Book.pageCounts).map { Int32($0) }
        edition = decoder.resourceID("edition")
    }
}

/// A change of a reading's state.
public enum ReadingStateChange: Sendable, Equatable {
    case to(ReadingState)
    /// Reopens a finished reading, and leaves an unfinished one as it is. A request says this as `isFinished: false`.
    case reopen
}

/// The body of a request that creates a reading.
public struct ReadingDraft: RequestBody {
    /// The book.
    public let book: ResourceID
    /// The number of pages in the reader's edition; if absent, that of the book.
    public let pageCount: DecodedMember<Int32>
    /// The reader's edition, or `nil` if it is not known.
    public let edition: ResourceID?
    /// The time at which the reading began, or `nil` if it is not known.
    public let startedAt: Instant?
    /// The time of completion, or `nil` for an open reading.
    public let finishedAt: Instant?
    /// A Boolean value indicating whether to begin again even if the reader is reading the book already.
    public let isReread: Bool

    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        book = decoder.requiredID("book")
        pageCount = decoder.integer("pageCount", in: Book.pageCounts).map { Int32($0) }
        edition = decoder.id("edition")
        startedAt = decoder.instant("startedAt").value
        finishedAt = decoder.instant("finishedAt").value
        isReread = decoder.required("isReread", decoder.bool("isReread"), .patch) ?? false
    }
}

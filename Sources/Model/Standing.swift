public import JSON

/// Where a member is in a book that the club reads, as far as they let the others know.
///
/// Whatever is not shared is not in it: neither in its row, nor in an event, nor in the log.
public struct Standing: Resource {
    /// Where a member is against the club's milestones. The raw values are stored and sent.
    public enum State: String, Sendable, CaseIterable {
        /// Past a milestone that is not due yet.
        case ahead
        case onTrack
        /// Not at a milestone that is due.
        case behind
    }

    /// The row's key; 0 before it is stored, and never sent.
    public var key: Int64 = 0
    /// The key of the club's row.
    public var clubKey: Int64
    /// The key of the row of the book on the club's list.
    public var clubBookKey: Int64
    /// The key of the member's row.
    public var memberKey: Int64
    /// The reading that it follows, which is its reader's own business; never sent.
    public var reading: ResourceID
    /// The public id.
    public let id: ResourceID
    /// The `seq` of its last change.
    public var version: Int64 = 0
    /// Of which club.
    public let club: ResourceID
    /// Of which book.
    public let book: ResourceID
    /// Who.
    public let reader: ResourceID
    /// Whether the book is the club's current one.
    public var isCurrent: Bool
    /// How far, as far as it is shared; nil for what is not.
    public var progress: Progress?
    /// Where that is against the milestones; nil without any, and when progress is not shared.
    public var state: State?
    /// When the member last read, or, unless all progress is shared, came to what is shown by reading; nil where that is not
    /// known, and for what is not shared.
    public var lastReadAt: Instant?
    /// When the member finished the book; nil unless they did and share it.
    public var finishedAt: Instant?
    /// When the member began to read along.
    public var createdAt: Instant?
    /// When this last changed.
    public var updatedAt: Instant?

    /// A standing that shows nothing yet.
    public init(
        id: ResourceID, club: (id: ResourceID, key: Int64),
        book: (id: ResourceID, clubBookKey: Int64, isCurrent: Bool),
        member: (reader: ResourceID, key: Int64), reading: ResourceID, createdAt: Instant
    ) {
        self.id = id
        self.club = club.id
        clubKey = club.key
        self.book = book.id
        clubBookKey = book.clubBookKey
        isCurrent = book.isCurrent
        reader = member.reader
        memberKey = member.key
        self.reading = reading
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    /// Shows a reading, as far as its reader shares it. `hasRead`: because the reading has changed, not what is shared or the
    /// milestones, so that when it changed may be shown with what it changed.
    public mutating func show(
        _ reading: Reading, _ sharing: Member.Sharing, _ milestones: [Milestone], hasRead: Bool
    ) {
        let before = (progress, finishedAt)
        finishedAt = sharing == .nothing ? nil : reading.finishedAt
        switch sharing {
        case .exact: progress = reading.progress
        case .milestones: progress = milestones.map(\.progress).filter { $0 <= reading.progress }.max()
        case .finished: progress = reading.isFinished ? .whole : nil
        case .nothing: progress = nil
        }
        // Who shares milestones only and has reached none is at the start, for all that is shown.
        state =
            progress ?? (sharing == .milestones ? Progress.none : nil) == nil
            ? nil : Self.state(at: progress ?? .none, milestones)
        switch sharing {
        case .exact: lastReadAt = reading.latestEntryAt
        case .milestones, .finished:
            if (progress, finishedAt) != before { lastReadAt = hasRead ? reading.latestEntryAt : nil }
            if progress == nil, finishedAt == nil { lastReadAt = nil }
        case .nothing: lastReadAt = nil
        }
    }

    private static func state(at progress: Progress, _ milestones: [Milestone]) -> State? {
        guard !milestones.isEmpty else { return nil }
        if milestones.contains(where: { $0.isDue && $0.progress > progress }) { return .behind }
        return milestones.contains { !$0.isDue && $0.progress <= progress } ? .ahead : .onTrack
    }

    /// See `ResourceKind.standing`.
    public static let kind = ResourceKind.standing

    /// The fields; the first three never change.
    public static let fieldNames: [StaticString] = [
        "club", "book", "reader", "isCurrent", "progress", "state", "lastReadAt", "finishedAt",
    ]

    /// Writes the value of the field at an index.
    public func write(field index: Int, to json: inout JSONWriter) {
        switch index {
        case 0: json.id(club)
        case 1: json.id(book)
        case 2: json.id(reader)
        case 3: json.bool(isCurrent)
        case 4: if let progress { json.progress(progress) } else { json.null() }
        case 5: json.string(state?.rawValue)
        case 6: json.instant(lastReadAt)
        default: json.instant(finishedAt)
        }
    }
}

/// What a request says to read along.
public struct StandingDraft: Sendable {
    /// Which of the club's books; nil for the current one.
    public let book: ResourceID?
    /// With which of one's own readings; nil for the open one of that book, or the latest, or a new one.
    public let reading: ResourceID?

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        book = decoder.id("book", isRequired: false)
        reading = decoder.id("reading", isRequired: false)
        let violations = decoder.finish()
        guard violations.isEmpty else { throw .invalid(violations) }
    }
}

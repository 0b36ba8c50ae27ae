public import JSON

/// Where a member is in a book that the club reads, as far as they let the others know.
///
/// Whatever is not shared is not in it: neither in its row, nor in an event, nor in the log.
public struct Standing: Resource {
    /// Where a member is against the club's milestones. The raw values are stored and sent.
    public enum State: String, Storable, CaseIterable {
        /// Past a milestone that is not due yet.
        case ahead
        case onTrack
        /// Not at a milestone that is due.
        case behind
    }

    /// To whom it is shown. The raw values are stored and sent.
    public enum Audience: String, Storable, CaseIterable {
        case club
        /// Those who moderate it, with whom a member shares otherwise than with the club.
        case moderators
    }

    public static let kind = ResourceKind.standing
    public static let fields = Fields<Standing>([
        .joined("club", from: "clubs.id", { $0.club }, { $0.club = $1 }),
        .joined("book", from: "books.id", { $0.book }, { $0.book = $1 }),
        .link("run", from: "runs.id", { $0.run }, { $0.run = $1 }, key: "run", { $0.runKey }, { $0.runKey = $1 }),
        .link(
            "reader", from: "readers.id", { $0.reader }, { $0.reader = $1 }, key: "member", { $0.memberKey },
            { $0.memberKey = $1 }),
        .joined("isCurrent", from: "runs.state = 'current'", { $0.isCurrent }, { $0.isCurrent = $1 }),
        Field("progress", { $0.progress }, { $0.progress = $1 }),
        Field("state", { $0.state }, { $0.state = $1 }),
        Field("lastReadAt", { $0.lastReadAt }, { $0.lastReadAt = $1 }),
        Field("finishedAt", { $0.finishedAt }, { $0.finishedAt = $1 }),
        .kept("runs.club", .joined, { $0.clubKey }, { $0.clubKey = $1 }),
        .kept("reading", .fixed, { $0.reading }, { $0.reading = $1 }),
        .sparse(
            "audience", columns: [Column("audience", .fixed, { $0.audience }, { $0.audience = $1 })],
            { $0.audience == .club ? nil : $0.audience }, { $0.audience = $1 ?? .club }),
    ])

    public var identity: Identity
    public private(set) var club = ResourceID.zero
    public private(set) var clubKey: Int64 = 0
    public private(set) var book = ResourceID.zero
    public private(set) var run = ResourceID.zero
    public private(set) var runKey: Int64 = 0
    public private(set) var reader = ResourceID.zero
    public private(set) var memberKey: Int64 = 0
    /// The reading that it follows, which is its reader's own business; never sent.
    public private(set) var reading = ResourceID.zero
    public private(set) var audience = Audience.club
    /// Whether the run is current.
    public var isCurrent = false
    /// How far, as far as it is shared; nil for what is not.
    public var progress: Progress?
    /// Where that is against the milestones; nil without any, and when progress is not shared.
    public var state: State?
    /// When the member last read, or, unless all progress is shared, came to what is shown by reading; nil where that is not
    /// known, and for what is not shared.
    public var lastReadAt: Instant?
    /// When the member finished the book; nil unless they did and share it.
    public var finishedAt: Instant?

    public init(_ identity: Identity) { self.identity = identity }

    /// A standing that shows nothing yet.
    public init(
        id: ResourceID, in run: Run, member: (reader: ResourceID, key: Int64), reading: ResourceID,
        createdAt: Instant
    ) {
        self.init(Identity(id, madeAt: createdAt))
        (club, clubKey) = (run.club, run.clubKey)
        (book, self.run, runKey) = (run.book, run.id, run.key)
        isCurrent = run.state == .current
        (reader, memberKey) = member
        self.reading = reading
    }

    /// One of the same reading in the same run that shows those nothing yet who moderate the club. Nobody else is to learn its id.
    public func confided(id: ResourceID, at now: Instant) -> Standing {
        var other = Standing(Identity(id, madeAt: now))
        (other.club, other.clubKey, other.book, other.runKey) = (club, clubKey, book, runKey)
        (other.run, other.isCurrent) = (run, isCurrent)
        (other.reader, other.memberKey, other.reading) = (reader, memberKey, reading)
        other.audience = .moderators
        return other
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
}

/// What a request says to read along.
public struct StandingDraft: Sendable {
    /// In which of the club's runs.
    public let run: NamedRun
    /// With which of one's own readings; nil for the open one of that book, or the latest, or a new one: see `Command.readAlong`.
    public let reading: ResourceID?

    /// Decodes a body; throws `LecternError.invalid` with all that is wrong with it.
    public init(_ body: JSONValue) throws(LecternError) {
        var decoder = ObjectDecoder(body)
        run = decoder.run()
        reading = decoder.id("reading", isRequired: false)
        try decoder.demandValid()
    }
}

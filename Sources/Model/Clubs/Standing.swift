public import JSON

/// The comparison of a member's progress with the club's milestones. The raw values are stored and sent.
public enum StandingState: String, StorableValue, CaseIterable {
    /// Past a milestone that is not due yet.
    case ahead
    case onTrack
    /// Not at a milestone that is due.
    case behind
}

/// The readers to whom a standing is shown. Members and moderators of a club may see different values under the same
/// id. Each audience has its own kind, whose events go to that audience alone.
public protocol StandingAudience: Sendable {
    static var kind: ResourceKind { get }
    static var fields: ResourceFields<AudienceStanding<Self>> { get }
}

/// The members of the club, to whom a standing is shown. Moderators and owners are excluded if its reader shares more
/// with them.
public enum ClubMembersAudience: StandingAudience {
    public static let kind = ResourceKind.standing
    public static let fields = Standing.makeFields(
        besides: .unsent(
            "moderator_standings.key IS NOT NULL", .joined, { $0.hasModeratorVersion }, { $0.hasModeratorVersion = $1 }),
        .unsent("members.shares", .joined, { $0.shares }, { $0.shares = $1 }),
        .unsent(
            "members.shares_with_moderators", .joined, { $0.sharesWithModerators }, { $0.sharesWithModerators = $1 }))
}

/// The moderators and owners of the club.
public enum ClubModeratorsAudience: StandingAudience {
    public static let kind = ResourceKind.moderatorStanding
    public static let fields = ModeratorStanding.makeFields()
}

/// A standing as the club sees it.
public typealias Standing = AudienceStanding<ClubMembersAudience>
/// A standing as moderators see it, if its member has ever shared more with them.
public typealias ModeratorStanding = AudienceStanding<ClubModeratorsAudience>

/// The progress of a member in a run, as far as the member shares it with an audience.
///
/// No other progress is in its row, in its events or in the log.
public struct AudienceStanding<Audience: StandingAudience>: Resource {
    public static var kind: ResourceKind { Audience.kind }
    public static var fields: ResourceFields<Self> { Audience.fields }

    fileprivate static func makeFields(besides other: ResourceField<Self>...) -> ResourceFields<Self> {
        ResourceFields(
            [
                .joined("club", from: "clubs.id", { $0.club }, { $0.club = $1 }),
                .joined("book", from: "books.id", { $0.book }, { $0.book = $1 }),
                .link("run", { $0.run }, { $0.run = $1 }, key: { $0.runKey }, { $0.runKey = $1 }),
                .link(
                    "reader", column: "member", { $0.reader }, { $0.reader = $1 }, key: { $0.memberKey },
                    { $0.memberKey = $1 }),
                ResourceField("name", { $0.name }, { $0.name = $1 }),
                .joined("isCurrent", from: "runs.state = 'current'", { $0.isCurrent }, { $0.isCurrent = $1 }),
                ResourceField("progress", { $0.progress }, { $0.progress = $1 }),
                ResourceField("state", { $0.state }, { $0.state = $1 }),
                ResourceField("lastReadAt", { $0.lastReadAt }, { $0.lastReadAt = $1 }),
                ResourceField("finishedAt", { $0.finishedAt }, { $0.finishedAt = $1 }),
                .unsent("runs.club", .joined, { $0.clubKey }, { $0.clubKey = $1 }),
                .unsent("reading", .fixed, { $0.reading }, { $0.reading = $1 }),
            ] + other)
    }

    public var identity: CommonResourceFields
    public private(set) var club = ResourceID.zero
    public private(set) var clubKey: Int64 = 0
    public private(set) var book = ResourceID.zero
    public private(set) var run = ResourceID.zero
    public private(set) var runKey: Int64 = 0
    public private(set) var reader = ResourceID.zero
    public private(set) var memberKey: Int64 = 0
    /// The reader's name in the club.
    public var name = ""
    /// The id of the reading that the standing follows; never sent.
    public private(set) var reading = ResourceID.zero
    /// A Boolean value indicating whether moderators see another standing under the same id; never sent.
    public var hasModeratorVersion = false
    /// The sharing of its member with the club and with moderators; never sent.
    public var shares = Member.Sharing.nothing
    public var sharesWithModerators: Member.Sharing?
    /// A Boolean value indicating whether the run is current.
    public var isCurrent = false
    /// The shared progress, or `nil` if none is shared.
    public var progress: Progress?
    /// The comparison with the milestones; `nil` without milestones, or if no progress is shared.
    public var state: StandingState?
    /// The time of the latest entry. Unless all progress is shared, the time at which reading last changed the shown
    /// values. `nil` where it is unknown or not shared.
    public var lastReadAt: Instant?
    /// The time at which the member finished the book; `nil` unless they did and share it.
    public var finishedAt: Instant?

    public init(_ identity: CommonResourceFields) { self.identity = identity }

    /// Creates a standing that shows nothing yet.
    public init(
        id: ResourceID, in run: ClubRun, of member: Member, reading: ResourceID, createdAt: Instant
    ) {
        self.init(CommonResourceFields(id, madeAt: createdAt))
        (club, clubKey) = (run.club, run.clubKey)
        (book, self.run, runKey) = (run.book, run.id, run.key)
        isCurrent = run.state == .current
        (reader, memberKey, name) = (member.reader, member.key, member.name)
        self.reading = reading
    }

    /// Creates a standing of the same reading in the same run, under the same id, for another audience. It shows
    /// nothing yet.
    public init<Other>(of other: AudienceStanding<Other>, at now: Instant) {
        self.init(CommonResourceFields(id: other.id, createdAt: other.createdAt, updatedAt: now))
        (club, clubKey, book, run, runKey) = (other.club, other.clubKey, other.book, other.run, other.runKey)
        (reader, memberKey, name, reading) = (other.reader, other.memberKey, other.name, other.reading)
        isCurrent = other.isCurrent
    }

    /// Creates a standing with the values that another audience sees.
    public init<Other>(showing other: AudienceStanding<Other>) {
        self.init(of: other, at: other.updatedAt ?? Instant(milliseconds: 0))
        identity = other.identity
        (progress, state, lastReadAt, finishedAt) = (other.progress, other.state, other.lastReadAt, other.finishedAt)
    }

    /// Updates the shown values from a reading, as far as its reader shares it.
    ///
    /// - Parameter hasRead: Whether the reading itself changed, rather than the sharing or the milestones. Only then
    ///   may the time of the change be shown.
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
        // A member who shares milestones only, and has reached none, is shown at the start.
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

    private static func state(at progress: Progress, _ milestones: [Milestone]) -> StandingState? {
        guard !milestones.isEmpty else { return nil }
        if milestones.contains(where: { $0.isDue && $0.progress > progress }) { return .behind }
        return milestones.contains { !$0.isDue && $0.progress <= progress } ? .ahead : .onTrack
    }
}

/// The body of a request to read along with a club.
public struct StandingDraft: RequestBody {
    /// The run of the club.
    public let run: RunReference
    /// The reader's own reading, or `nil` for the open one of that book, the latest, or a new one: see
    /// `Command.createStanding`.
    public let reading: ResourceID?

    public init(_ decoder: inout ObjectDecoder, _ form: RequestBodyForm) {
        run = RunReference(&decoder)
        reading = decoder.id("reading")
    }
}

/// What a club wants to have read of a book, and by when: a milestone, or up to where a meeting is about it.
public struct Aim: Sendable {
    public let kind: ResourceKind
    public let id: ResourceID
    public let club: ResourceID
    /// What it is called in the club, for all its members.
    public let name: String?
    public let progress: Progress
    public let dueAt: Instant
    /// Whether that was said to have come.
    private let isDue: Bool

    public init(_ milestone: Milestone) {
        (kind, id, club) = (Milestone.kind, milestone.id, milestone.club)
        (name, progress, dueAt, isDue) = (milestone.name, milestone.progress, milestone.dueAt, milestone.isDue)
    }

    public init(_ meeting: Meeting) {
        (kind, id, club) = (Meeting.kind, meeting.id, meeting.club)
        (name, progress, dueAt, isDue) = (meeting.title, meeting.progress ?? .whole, meeting.startsAt, meeting.hasBegun)
    }

    /// The day on which it can still be reached: that on which it falls due, unless that is when the day begins.
    /// Yesterday, at the latest, once it is due.
    public func lastDay(by days: LocalDays, today: Int64) -> Int64 {
        let last = days.day(at: Instant(milliseconds: dueAt.milliseconds - 1))
        return isDue ? min(last, today - 1) : last
    }

    /// Those of both kinds in the order in which they fall due.
    public static func all(_ milestones: [Milestone], _ meetings: [Meeting]) -> [Aim] {
        (milestones.map(Aim.init) + meetings.map(Aim.init)).sorted {
            ($0.dueAt, $0.progress, $0.id.high, $0.id.low) < ($1.dueAt, $1.progress, $1.id.high, $1.id.low)
        }
    }
}

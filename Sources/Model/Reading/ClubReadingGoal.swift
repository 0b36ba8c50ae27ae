/// A club's goal for a book: a milestone, or the position that a meeting discusses, and its time.
public struct ClubReadingGoal: Sendable {
    public let kind: ResourceKind
    public let id: ResourceID
    public let club: ResourceID
    /// The name in the club, the same for all its members.
    public let name: String?
    public let progress: Progress
    public let dueAt: Instant
    /// A Boolean value indicating whether the goal was announced as due.
    private let isDue: Bool

    public init(_ milestone: Milestone) {
        (kind, id, club) = (Milestone.kind, milestone.id, milestone.club)
        (name, progress, dueAt, isDue) = (milestone.name, milestone.progress, milestone.dueAt, milestone.isDue)
    }

    public init(_ meeting: Meeting) {
        (kind, id, club) = (Meeting.kind, meeting.id, meeting.club)
        (name, progress, dueAt, isDue) = (meeting.title, meeting.progress ?? .whole, meeting.startsAt, meeting.hasBegun)
    }

    /// Returns the last day on which the goal can be reached: the day of `dueAt`, or the day before if that is
    /// midnight. Once the goal is due, it is yesterday at the latest.
    public func lastDay(by days: TimeZoneDays, today: Int64) -> Int64 {
        let last = days.day(at: Instant(milliseconds: dueAt.milliseconds - 1))
        return isDue ? min(last, today - 1) : last
    }

    /// Returns the goals of both kinds in the order in which they are due.
    public static func all(_ milestones: [Milestone], _ meetings: [Meeting]) -> [ClubReadingGoal] {
        (milestones.map(ClubReadingGoal.init) + meetings.map(ClubReadingGoal.init)).sorted {
            ($0.dueAt, $0.progress, $0.id.high, $0.id.low) < ($1.dueAt, $1.progress, $1.id.high, $1.id.low)
        }
    }
}

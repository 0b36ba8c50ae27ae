import Model
import Testing

@Suite("Standings")
struct StandingTests {
    private static let id = ResourceID(high: 0, low: 1)
    private static let start = Instant(milliseconds: 0)
    private static let then = Instant(milliseconds: 1000)
    private static let run = ClubRun(
        id: id, club: (id, 1), book: Book(id: id, createdAt: start), place: 1, state: .current, createdAt: start)

    private static let member = Member(
        club: (id, 1), reader: (id, 1), name: "Ada", role: .member, createdAt: start)

    private static func milestones(_ text: String) -> [Milestone] {
        text.split(separator: " ").map { word in
            var milestone = Milestone(id: id, of: run, dueAt: start, createdAt: start)
            milestone.isDue = word.hasSuffix("!")
            milestone.progress = Progress(Double(word.drop { $0 == "!" }.filter { $0 != "!" }) ?? 0) ?? .none
            return milestone
        }
    }

    /// Tests of standings. Milestones with an exclamation mark are due.
    @Test(
        "A standing shows what its member shares, compared with the milestones",
        arguments: [
            (Member.Sharing.exact, 0.37, false, "", 0.37, nil),
            (.exact, 0.37, false, "0.25! 0.5", 0.37, "onTrack"), (.exact, 0.2, false, "0.25! 0.5", 0.2, "behind"),
            (.exact, 0.25, false, "0.25! 0.5", 0.25, "onTrack"), (.exact, 0.5, false, "0.25! 0.5", 0.5, "ahead"),
            // A member who is behind one milestone and ahead of another is behind.
            (.exact, 0.3, false, "0.25 0.5!", 0.3, "behind"),
            (.milestones, 0.37, false, "", nil, nil), (.milestones, 0.37, false, "0.25! 0.5", 0.25, "onTrack"),
            (.milestones, 0.1, false, "0.25! 0.5", nil, "behind"), (.milestones, 0.1, false, "0.25", nil, "onTrack"),
            (.milestones, 1, true, "0.25! 0.9", 0.9, "ahead"),
            (.finished, 0.99, false, "0.25!", nil, nil), (.finished, 1, true, "0.25! 0.5", 1, "ahead"),
            (.nothing, 1, true, "0.25! 0.5", nil, nil),
        ] as [(Member.Sharing, Double, Bool, String, Double?, String?)])
    func shows(
        _ sharing: Member.Sharing, _ progress: Double, _ isFinished: Bool, _ milestones: String, _ shown: Double?,
        _ state: String?
    ) {
        var reading = Reading(
            id: Self.id, reader: (Self.id, 1), book: (Self.id, 1), number: 1, createdAt: Self.start)
        reading.progress = Progress(progress) ?? .none
        reading.latestEntryAt = Self.then
        if isFinished { (reading.state, reading.finishedAt) = (.finished, Self.then) }
        var standing = Standing(
            id: Self.id, in: Self.run, of: Self.member, reading: Self.id, createdAt: Self.start)
        standing.show(reading, sharing, Self.milestones(milestones), hasRead: true)
        #expect(standing.progress == shown.flatMap { Progress($0) })
        #expect(standing.state?.rawValue == state)
        #expect(standing.finishedAt == (isFinished && sharing != .nothing ? Self.then : nil))
        let saysWhen = sharing == .exact || sharing != .nothing && (shown != nil || isFinished)
        #expect(standing.lastReadAt == (saysWhen ? Self.then : nil))
    }

    @Test("The time of the last reading is shown only with progress that was read")
    func lastRead() {
        var reading = Reading(
            id: Self.id, reader: (Self.id, 1), book: (Self.id, 1), number: 1, createdAt: Self.start)
        reading.progress = Progress(0.27) ?? .none
        reading.latestEntryAt = Self.then
        var standing = Standing(
            id: Self.id, in: Self.run, of: Self.member, reading: Self.id, createdAt: Self.start)
        standing.show(reading, .milestones, Self.milestones("0.2"), hasRead: true)
        #expect(standing.lastReadAt == Self.then)
        // Another entry without another milestone, then a milestone between the two: its creator must learn no time.
        reading.latestEntryAt = Instant(milliseconds: 5000)
        standing.show(reading, .milestones, Self.milestones("0.2"), hasRead: true)
        #expect(standing.lastReadAt == Self.then)
        standing.show(reading, .milestones, Self.milestones("0.2 0.26"), hasRead: false)
        #expect(standing.progress == Progress(0.26) && standing.lastReadAt == nil)
        standing.show(reading, .exact, [], hasRead: false)
        #expect(standing.lastReadAt == reading.latestEntryAt)
        standing.show(reading, .finished, [], hasRead: false)
        #expect(standing.lastReadAt == nil && standing.progress == nil)
    }
}

import Model
import SharedByTests
import Store
import Testing

/// Tests of events that the clock causes, with a manual clock: a club with a meeting in an hour and a milestone in two.
@Suite("Due clock events", .serialized, .ownThreads)
struct ClockTests {
    private let fixture: StoreFixture
    private let club: ResourceID
    private let meeting: ResourceID
    private let now = Instant.now

    init() throws {
        fixture = try StoreFixture()
        club = ResourceID(madeAt: now)
        meeting = ResourceID(madeAt: now)
        let viewer = try fixture.administrator
        let book = try fixture.addBook()
        let patch = try ClubPatch(json(#"{"name": "Tuesdays"}"#), form: .whole)
        try fixture.run(Command.createClub(patch).by(viewer, at: now, id: club))
        try fixture.run(
            Command.createRun(of: club, ClubRunDraft(json("{\"book\": \"\(book)\", \"state\": \"current\"}"))).by(
                viewer, at: now))
        let time = now.adding(seconds: 3600)
        try fixture.run(
            Command.createMeeting(of: club, MeetingPatch(json("{\"startsAt\": \"\(time)\"}"), form: .whole)).by(
                viewer, at: now, id: meeting))
        let due = now.adding(seconds: 7200)
        try fixture.run(
            Command.createMilestone(
                of: club, MilestonePatch(json("{\"position\":{\"progress\":0.5}, \"dueAt\": \"\(due)\"}"), form: .whole)
            ).by(viewer, at: now))
        _ = fixture.takeChanges()
    }

    /// Returns the changes that are published when the clock advances by a number of hours.
    private func deliver(hours: Int64) throws -> [String] {
        for command in Command.dueEvents {
            try fixture.run(command.byTheServer(at: now.adding(seconds: hours * 3600)))
        }
        return fixture.takeChanges().map { "\($0.kind.name) \($0.operation.name)" }
    }

    @Test("Each due event happens once at its time, whatever the clock does afterwards")
    func once() throws {
        #expect(try deliver(hours: 0) == [])
        #expect(try deliver(hours: -24) == [])
        #expect(try deliver(hours: 1) == ["meeting updated"])
        #expect(try deliver(hours: -24) == [])
        #expect(try deliver(hours: 1) == [])
        #expect(try deliver(hours: 24) == ["milestone updated"])
        #expect(try deliver(hours: 48) == [])
    }

    @Test("Events missed for days happen together, and a postponed meeting begins again")
    func late() throws {
        #expect(try deliver(hours: 1000) == ["milestone updated", "meeting updated"])
        let time = now.adding(seconds: 90_000)
        try fixture.run(
            Command.updateMeeting(meeting, of: club, MeetingPatch(json("{\"startsAt\": \"\(time)\"}"), form: .patch))
                .by(
                    try fixture.administrator, at: now))
        let change = fixture.takeChanges().first
        #expect(change.map { String(decoding: $0.value ?? [], as: UTF8.self).contains("\"hasBegun\":false") } == true)
        #expect(try deliver(hours: 24) == [])
        #expect(try deliver(hours: 25) == ["meeting updated"])
    }

    @Test("The writer completes any number of due events without waiting for the next check")
    func many() throws {
        // At a hundred a commit these are nine commits. The writer checks once per second of the clock: if it waited
        // for that, no two would be in one second. A busy machine may need a second for each once, but not every time.
        var isTogether = false
        for _ in 0..<20 where !isTogether {
            let seconds = try secondsOfTelling(850)
            #expect(seconds.count >= 9)
            isTogether = Set(seconds).count < seconds.count
        }
        #expect(isTogether)
    }

    /// Returns the seconds of the commits in which the writer publishes that meetings have begun, up to a number of
    /// meetings.
    private func secondsOfTelling(_ count: Int) throws -> [Int64] {
        // The meeting was called a minute ago for a time that is past by now, so it is due as soon as it exists.
        let called = now.adding(seconds: -60)
        let patch = try MeetingPatch(json("{\"startsAt\": \"\(called.adding(seconds: 1))\"}"), form: .whole)
        let viewer = try fixture.administrator
        let club = ResourceID(madeAt: now)
        try fixture.run(
            Command.createClub(ClubPatch(json(#"{"name": "Wednesdays"}"#), form: .whole)).by(viewer, at: now, id: club))
        let holding = Holding()
        let held = fixture.submit(holding.request)
        holding.waitUntilHeld()
        let meetings = (0..<count).map { _ in
            fixture.submit(
                Command.createMeeting(of: club, patch).by(viewer, at: called))
        }
        holding.letGo()
        for pending in meetings + [held] { _ = try pending.wait().get() }
        var begun: [[Instant]] = []
        #expect(
            eventually {
                begun += fixture.takeCommits().map { $0.changes.filter { $0.operation == .updated }.map(\.at) }
                return begun.reduce(0) { $0 + $1.count } == count
            })
        return begun.compactMap { $0.first.map { $0.milliseconds / 1000 } }
    }
}

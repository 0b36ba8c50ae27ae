import CSQLite
import JSON
import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

@Suite("Unused scenes", .serialized, .ownThreads)
struct SceneUseTests {
    private func put(_ name: String, _ value: String, in fixture: StoreFixture) throws -> ResourceID {
        let place = try #require(ClientSceneKey(device: "phone", name: name))
        let draft = try ClientSceneDraft(json("{\"value\": \(value)}"))
        return try fixture.run(Command.putScene(place, draft).by(fixture.administrator)).id
    }

    private func day(of id: ResourceID, in fixture: StoreFixture) throws -> Int64? {
        try fixture.reads().scene(id)?.usedOn.number
    }

    /// Moves the uses of all scenes of a closed store back by a number of days.
    private func age(_ directory: String, days: Int64) throws {
        try TestDatabase.execute(
            directory + "/lectern.sqlite", "UPDATE scenes SET used_day = used_day - \(days)")
    }

    /// Closes the store, and opens it some days later.
    private func later(_ fixture: inout StoreFixture?, days: Int64) throws {
        let directory = try #require(fixture).directory
        fixture?.keepsDirectory.store(true, ordering: .relaxed)
        fixture = nil
        try age(directory, days: days)
        fixture = try StoreFixture(in: directory)
    }

    @Test("A write and a read record the day, once, and are no change; an unchanged write is a use, too")
    func uses() throws {
        var fixture: StoreFixture? = try StoreFixture()
        let id = try put("draft", "1", in: fixture!)
        let today = fixture!.store.today
        #expect(try day(of: id, in: fixture!) == today && today > 20_000)
        try later(&fixture, days: 40)
        #expect(try day(of: id, in: fixture!) == today - 40)
        let (commits, head) = (fixture!.store.counters[.commits], try fixture!.reads().head())
        try fixture!.run(Command.useScene(id).byTheServer())
        #expect(try day(of: id, in: fixture!) == today)
        try fixture!.run(Command.useScene(id).byTheServer())
        #expect(fixture!.store.counters[.commits] == commits + 1)
        #expect(try fixture!.reads().head() == head)
        #expect(fixture!.takeChanges().isEmpty)
        try later(&fixture, days: 40)
        #expect(try put("draft", "1", in: fixture!) == id)
        #expect(try day(of: id, in: fixture!) == today)
        #expect(fixture!.takeChanges().isEmpty)
    }

    @Test("A scene used ninety days ago is kept; a day later it is deleted, with an event")
    func gone() throws {
        var fixture: StoreFixture? = try StoreFixture()
        let id = try put("draft", "1", in: fixture!)
        try later(&fixture, days: 90)
        let other = try put("other", "2", in: fixture!)
        #expect(try fixture!.reads().scene(id) != nil)
        try fixture!.run(Command.forgetScenes(unusedForDays: 90).byTheServer())
        #expect(try fixture!.reads().scene(id) != nil)
        #expect(fixture!.takeChanges().map(\.summary) == ["scene created"])
        try fixture!.run(Command.forgetScenes(unusedForDays: 89).byTheServer())
        #expect(try fixture!.reads().scene(id) == nil)
        #expect(try fixture!.reads().scene(other) != nil)
        let received = fixture!.takeChanges()
        #expect(received.map(\.summary) == ["scene deleted"])
        #expect(try received.map(\.scope) == [fixture!.administrator.scope])
    }

    @Test("The writer checks by itself, and deletes any number of unused scenes")
    func byItself() throws {
        var fixture: StoreFixture? = try StoreFixture()
        let readers = try (0..<3).map { try fixture!.addReader("Reader \($0)") }
        for reader in readers {
            for number in 0..<50 {
                let place = try #require(ClientSceneKey(device: "phone", name: "\(number)"))
                let draft = try ClientSceneDraft(json("{\"value\": \(number)}"))
                try fixture!.run(Command.putScene(place, draft).by(reader))
            }
        }
        try later(&fixture, days: 91)
        #expect(
            try eventually {
                try ReadConnection.scenes.page(fixture!.reads(), of: readers[2].readerKey, after: nil, limit: 1).items
                    .isEmpty
            })
        #expect(
            try ReadConnection.scenes.page(fixture!.reads(), of: readers[0].readerKey, after: nil, limit: 1).items
                .isEmpty)
    }

    @Test("A clock that is decades ahead at a start deletes no scene")
    func jump() throws {
        var fixture: StoreFixture? = try StoreFixture()
        _ = try put("draft", "1", in: fixture!)
        let today = fixture!.store.today
        let directory = fixture!.directory
        fixture!.keepsDirectory.store(true, ordering: .relaxed)
        fixture = nil
        defer { StoreFixture.remove(directory) }
        let connection = try SQLiteConnection(path: directory + "/lectern.sqlite", flags: SQLITE_OPEN_READWRITE)
        let wall = try #require(Instant("2099-01-01T00:00:00Z"))
        let clock = try LogRetentionClock(connection, at: MachineClockTimes(wall: wall, running: 5))
        let day = clock.time(MachineClockTimes(wall: wall, running: 5)).day
        #expect(day <= today + 1)
        let since = day - Command.unusedSceneDaysMax
        #expect(try ClientSceneTable.unused(since: since, limit: 1, in: connection).isEmpty)
    }
}

import CSQLite
import JSON
import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

@Suite("Unused scenes", .serialized, .ownThreads)
struct SceneUseTests {
    private func put(_ name: String, _ value: String, in shop: StoreFixture) throws -> ResourceID {
        let place = try #require(ClientSceneAddress(device: "phone", name: name))
        let draft = try ClientSceneDraft(json("{\"value\": \(value)}"))
        return try shop.run(Command.putScene(place, draft).by(shop.administrator)).id
    }

    private func day(of id: ResourceID, in shop: StoreFixture) throws -> Int64? {
        try shop.reads().scene(id)?.usedOn.number
    }

    /// Moves the uses of all scenes of a closed store back by a number of days.
    private func age(_ directory: String, days: Int64) throws {
        try TestDatabase.execute(
            directory + "/lectern.sqlite", "UPDATE scenes SET used_day = used_day - \(days)")
    }

    /// Closes the store, and opens it some days later.
    private func later(_ shop: inout StoreFixture?, days: Int64) throws {
        let directory = try #require(shop).directory
        shop?.keepsDirectory.store(true, ordering: .relaxed)
        shop = nil
        try age(directory, days: days)
        shop = try StoreFixture(in: directory)
    }

    @Test("A write and a read record the day, once, and are no change; an unchanged write is a use, too")
    func uses() throws {
        var shop: StoreFixture? = try StoreFixture()
        let id = try put("draft", "1", in: shop!)
        let today = shop!.store.today
        #expect(try day(of: id, in: shop!) == today && today > 20_000)
        try later(&shop, days: 40)
        #expect(try day(of: id, in: shop!) == today - 40)
        let (commits, head) = (shop!.store.counters.commits, try shop!.reads().head())
        try shop!.run(Command.useScene(id).byTheHouse())
        #expect(try day(of: id, in: shop!) == today)
        try shop!.run(Command.useScene(id).byTheHouse())
        #expect(shop!.store.counters.commits == commits + 1)
        #expect(try shop!.reads().head() == head)
        #expect(shop!.takeChanges().isEmpty)
        try later(&shop, days: 40)
        #expect(try put("draft", "1", in: shop!) == id)
        #expect(try day(of: id, in: shop!) == today)
        #expect(shop!.takeChanges().isEmpty)
    }

    @Test("A scene used ninety days ago is kept; a day later it is deleted, with an event")
    func gone() throws {
        var shop: StoreFixture? = try StoreFixture()
        let id = try put("draft", "1", in: shop!)
        try later(&shop, days: 90)
        let other = try put("other", "2", in: shop!)
        #expect(try shop!.reads().scene(id) != nil)
        let today = shop!.store.today
        try shop!.run(Command.forgetScenes(unusedSince: today - 90).byTheHouse())
        #expect(try shop!.reads().scene(id) != nil)
        #expect(shop!.takeChanges().map(\.summary) == ["scene created"])
        try shop!.run(Command.forgetScenes(unusedSince: today - 89).byTheHouse())
        #expect(try shop!.reads().scene(id) == nil)
        #expect(try shop!.reads().scene(other) != nil)
        let told = shop!.takeChanges()
        #expect(told.map(\.summary) == ["scene deleted"])
        #expect(try told.map(\.scope) == [shop!.administrator.scope])
    }

    @Test("The writer checks by itself, and deletes any number of unused scenes")
    func byItself() throws {
        var shop: StoreFixture? = try StoreFixture()
        let readers = try (0..<3).map { try shop!.addReader("Reader \($0)") }
        for reader in readers {
            for number in 0..<50 {
                let place = try #require(ClientSceneAddress(device: "phone", name: "\(number)"))
                let draft = try ClientSceneDraft(json("{\"value\": \(number)}"))
                try shop!.run(Command.putScene(place, draft).by(reader))
            }
        }
        try later(&shop, days: 91)
        #expect(
            try eventually {
                try shop!.reads().scenes(of: readers[2].readerKey, on: nil, after: nil, limit: 1).items.isEmpty
            })
        #expect(try shop!.reads().scenes(of: readers[0].readerKey, on: nil, after: nil, limit: 1).items.isEmpty)
    }

    @Test("A clock that is decades ahead at a start deletes no scene")
    func jump() throws {
        var shop: StoreFixture? = try StoreFixture()
        _ = try put("draft", "1", in: shop!)
        let today = shop!.store.today
        let directory = shop!.directory
        shop!.keepsDirectory.store(true, ordering: .relaxed)
        shop = nil
        defer { StoreFixture.remove(directory) }
        let connection = try Connection(path: directory + "/lectern.sqlite", flags: SQLITE_OPEN_READWRITE)
        let wall = try #require(Instant("2099-01-01T00:00:00Z"))
        let clock = try LogRetentionClock(connection, at: MachineClockTimes(wall: wall, running: 5))
        let day = clock.time(MachineClockTimes(wall: wall, running: 5)).day
        #expect(day <= today + 1)
        #expect(try !UnusedScenes.areThere(since: day - UnusedScenes.daysMax, in: connection))
    }
}

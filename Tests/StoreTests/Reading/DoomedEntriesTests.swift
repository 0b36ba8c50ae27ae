import Glibc
import Model
import SharedByTests
import Testing

@testable import Store

@Suite("The entries of a deleted reading", .serialized, .ownThreads)
struct DeletedReadingEntriesTests {
    /// Returns a store whose reader has a reading with many entries, most of them older than the log.
    private func shop(
        entries: Int, slice: Int = 1000
    ) throws -> (shop: StoreFixture, viewer: Viewer, book: ResourceID, reading: ResourceID) {
        var configuration = StoreFixture.configuration
        configuration.doomedEntriesSliceMax = slice
        var shop = try StoreFixture(configuration)
        let viewer = try shop.addReader("Ada")
        let book = try shop.addBook()
        let reading = try shop.startReading(book, viewer)
        _ = try shop.record(#"{"progress": 0.5}"#, reading, viewer)
        shop.store.close()
        try TestDatabase.execute(
            shop.directory + "/lectern.sqlite",
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(entries))
            INSERT INTO entries (id, key, reading, progress, happened_at, received_at)
            SELECT randomblob(16), 0, (SELECT max(key) FROM readings), 1, i, i FROM n
            """)
        try StoreFixture.reopen(&shop, configuration)
        return (shop, viewer, book, reading)
    }

    private func delete(_ reading: ResourceID, _ viewer: Viewer) -> ActorCommand {
        Command.deleteReading(reading).by(viewer)
    }

    private func count(_ table: String, _ shop: StoreFixture) throws -> Int64 {
        try shop.reads().connection.statement(once: "SELECT count(*) FROM \(table)").first { $0.integer(0) } ?? -1
    }

    @Test("The entries of a deleted reading end with one event, and their rows are deleted later without events")
    func slices() throws {
        let (shop, viewer, _, reading) = try shop(entries: 3500)
        let entry = try #require(try shop.reads().reading(reading)?.latestEntry)
        _ = shop.takeChanges()
        try shop.run(delete(reading, viewer))
        #expect(try shop.reads().entry(entry) == nil)
        #expect(try eventually { try count("doomed_readings", shop) == 0 })
        #expect(try count("entries", shop) == 0)
        #expect(shop.takeChanges().map(\.summary) == ["reading deleted"])
        #expect(try Store.checkOpen(shop).isEmpty)
    }

    @Test("Remains of an ended process are sound, invisible, and deleted at the next start")
    func restart() throws {
        var (shop, viewer, _, reading) = try shop(entries: 3000, slice: 1)
        try shop.run(delete(reading, viewer))
        #expect(try Store.checkOpen(shop).isEmpty)
        try StoreFixture.reopen(&shop)
        #expect(try eventually { try count("doomed_readings", shop) == 0 })
        #expect(try count("entries", shop) == 0)
        #expect(try Store.checkOpen(shop).isEmpty)
    }

    @Test("A reading created meanwhile does not get a deleted reading's entries")
    func key() throws {
        let (shop, viewer, book, reading) = try shop(entries: 10)
        let holding = Holding()
        let held = shop.submit(holding.wish)
        holding.waitUntilHeld()
        let gone = shop.submit(delete(reading, viewer))
        let id = ResourceID(madeAt: .now)
        let begun = shop.submit(Command.startReading(ReadingDraft(book: book)).by(viewer, id: id))
        holding.letGo()
        _ = held.wait()
        _ = try gone.wait().get()
        _ = try begun.wait().get()
        let new = try #require(try shop.reads().reading(id))
        let found = try shop.reads().connection.statement(once: "SELECT 1 FROM entries WHERE reading = ?1")
            .bind(1, new.key).first { _ in true }
        #expect(found == nil)
        #expect(try Store.checkOpen(shop).isEmpty)
    }
}

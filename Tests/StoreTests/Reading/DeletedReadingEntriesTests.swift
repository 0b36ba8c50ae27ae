import Glibc
import Model
import SharedByTests
import Testing

@testable import Store

@Suite("The entries of a deleted reading", .serialized, .ownThreads)
struct DeletedReadingEntriesTests {
    /// Returns a store whose reader has a reading with many entries, most of them older than the log.
    private func fixture(
        entries: Int, slice: Int = 1000
    ) throws -> (fixture: StoreFixture, viewer: Viewer, book: ResourceID, reading: ResourceID) {
        var configuration = StoreFixture.configuration
        configuration.deletedEntriesSliceMax = slice
        var fixture = try StoreFixture(configuration)
        let viewer = try fixture.addReader("Ada")
        let book = try fixture.addBook()
        let reading = try fixture.createReading(book, viewer)
        _ = try fixture.record(#"{"progress": 0.5}"#, reading, viewer)
        fixture.store.close()
        try TestDatabase.execute(
            fixture.directory + "/lectern.sqlite",
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(entries))
            INSERT INTO entries (id, key, reading, progress, happened_at, received_at)
            SELECT randomblob(16), 0, (SELECT max(key) FROM readings), 1, i, i FROM n
            """)
        try StoreFixture.reopen(&fixture, configuration)
        return (fixture, viewer, book, reading)
    }

    private func delete(_ reading: ResourceID, _ viewer: Viewer) -> ActorCommand {
        Command.deleteReading(reading).by(viewer)
    }

    private func count(_ table: String, _ fixture: StoreFixture) throws -> Int64 {
        try fixture.reads().db.statement(once: "SELECT count(*) FROM \(table)").first { $0.integer(0) } ?? -1
    }

    @Test("The entries of a deleted reading end with one event, and their rows are deleted later without events")
    func slices() throws {
        let (fixture, viewer, _, reading) = try fixture(entries: 3500)
        let entry = try #require(try fixture.reads().reading(reading)?.latestEntry)
        _ = fixture.takeChanges()
        try fixture.run(delete(reading, viewer))
        #expect(try fixture.reads().entry(entry) == nil)
        #expect(try eventually { try count("deleted_readings", fixture) == 0 })
        #expect(try count("entries", fixture) == 0)
        #expect(fixture.takeChanges().map(\.summary) == ["reading deleted"])
        #expect(try Store.checkOpen(fixture).isEmpty)
    }

    @Test("Remains of an ended process are sound, invisible, and deleted at the next start")
    func restart() throws {
        var (fixture, viewer, _, reading) = try fixture(entries: 3000, slice: 1)
        try fixture.run(delete(reading, viewer))
        #expect(try Store.checkOpen(fixture).isEmpty)
        try StoreFixture.reopen(&fixture)
        #expect(try eventually { try count("deleted_readings", fixture) == 0 })
        #expect(try count("entries", fixture) == 0)
        #expect(try Store.checkOpen(fixture).isEmpty)
    }

    @Test("A reading created meanwhile does not get a deleted reading's entries")
    func key() throws {
        let (fixture, viewer, book, reading) = try fixture(entries: 10)
        let holding = Holding()
        let held = fixture.submit(holding.request)
        holding.waitUntilHeld()
        let gone = fixture.submit(delete(reading, viewer))
        let id = ResourceID(madeAt: .now)
        let draft = try ReadingDraft(json("{\"book\": \"\(book)\"}"))
        let begun = fixture.submit(Command.createReading(draft).by(viewer, id: id))
        holding.letGo()
        _ = held.wait()
        _ = try gone.wait().get()
        _ = try begun.wait().get()
        let new = try #require(try fixture.reads().reading(id))
        let found = try fixture.reads().db.statement(once: "SELECT 1 FROM entries WHERE reading = ?1")
            .bind(new.key).first { _ in true }
        #expect(found == nil)
        #expect(try Store.checkOpen(fixture).isEmpty)
    }
}

import Model
import SharedByTests
import Testing

@testable import Store

@Suite("Retention", .serialized, .ownThreads)
struct RetentionTests {
    @Test("The log keeps its number of changes without a gap, and numbers continue after a restart")
    func count() throws {
        var configuration = StoreFixture.configuration
        configuration.retentionCountMax = 50
        var fixture = try StoreFixture(configuration)
        for index in 0..<200 { _ = try fixture.addBook("{\"title\": \"T\(index)\"}") }
        let reads = try fixture.reads()
        let head = try reads.head()
        #expect(try eventually { try reads.floor() == head - 50 })
        let page = try reads.changes(after: try reads.floor(), seenBy: .max, limit: 1000)
        #expect(page.changes.map(\.seq) == Array(head - 49...head))
        try StoreFixture.reopen(&fixture, configuration)
        let id = try fixture.addBook()
        #expect(try fixture.reads().book(id)?.version == head + 1)
        #expect(try Store.checkOpen(fixture).isEmpty)
    }

    @Test("Old changes are deleted, but never the last one, because its seq must not be reused")
    func age() throws {
        var configuration = StoreFixture.configuration
        configuration.retentionDaysMax = 0
        var fixture = try StoreFixture(configuration)
        for _ in 0..<5 { _ = try fixture.addBook() }
        var reads = try fixture.reads()
        let head = try reads.head()
        #expect(try eventually { try reads.floor() == head - 1 })
        #expect(try reads.head() == head)
        try StoreFixture.reopen(&fixture, configuration)
        reads = try fixture.reads()
        #expect(try reads.head() == head)
        let id = try fixture.addBook()
        #expect(try reads.book(id)?.version == head + 1)
    }

    @Test("Under load the log stays within its maximum and a few slices")
    func underLoad() throws {
        var configuration = StoreFixture.configuration
        configuration.retentionCountMax = 1000
        let fixture = try StoreFixture(configuration)
        let viewer = try fixture.addReader("Ada")
        let reading = try fixture.createReading(try fixture.addBook(), viewer)
        let reads = try fixture.reads()
        var longest: Int64 = 0
        for _ in 0..<20 {
            let pending = try (0..<500).map { _ in
                fixture.submit(try fixture.entry(#"{"progress": 0.5}"#, reading, viewer))
            }
            for answer in pending { _ = try answer.wait().get() }
            longest = max(longest, try reads.head() - reads.floor())
        }
        #expect(longest < 8000)
        #expect(try eventually { try reads.head() - reads.floor() == 1000 })
    }

    @Test("Checkpoints keep the write-ahead log short, and an idle one is copied completely")
    func checkpoints() throws {
        var configuration = StoreFixture.configuration
        configuration.checkpointFrames = 100
        let fixture = try StoreFixture(configuration)
        for _ in 0..<300 {
            _ = try fixture.addBook()
            #expect(fixture.store.counters[.walFrames] < 200)
        }
        #expect(eventually { fixture.store.counters[.walFrames] == 0 })
    }

    @Test("Large commits are checkpointed after a few of them")
    func largeCommits() throws {
        let fixture = try StoreFixture()
        let viewer = try fixture.addReader("Ada")
        let reading = try fixture.createReading(try fixture.addBook(), viewer)
        let note = String(repeating: "a", count: 8900)
        let waiting = try (0..<8).map { _ in
            let lines = try (0..<100).map { _ in
                let request = try fixture.entry(#"{"progress": 0.5, "note": "\#(note)"}"#, reading, viewer)
                return BatchCommand.success((command: request.command, actor: request.actor))
            }
            _ = try fixture.run(Command(Batch(lines, isAtomic: true) { _ in [] }).by(viewer))
            return fixture.store.counters[.walFrames]
        }
        // Each commit has about 500 frames; a checkpoint of small commits is due at 16,000.
        #expect(waiting.max() ?? 0 < 2500, "\(waiting)")
    }

    @Test("A reader that blocks a checkpoint delays it, and causes no repetition")
    func readerInTheWay() throws {
        var configuration = StoreFixture.configuration
        configuration.checkpointFrames = 50
        configuration.walBytesMax = 200_000
        let fixture = try StoreFixture(configuration)
        let reads = try fixture.reads()
        try reads.read { () throws(RequestError) in
            _ = try reads.head()
            do { for _ in 0..<100 { _ = try fixture.addBook() } } catch { Issue.record(error) }
        }
        #expect(eventually { fixture.store.counters[.walFrames] == 0 })
        #expect(try Store.checkOpen(fixture).isEmpty)
    }
}

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
        var shop = try StoreFixture(configuration)
        for index in 0..<200 { _ = try shop.addBook("{\"title\": \"T\(index)\"}") }
        let reads = try shop.reads()
        let head = try reads.head()
        #expect(try eventually { try reads.floor() == head - 50 })
        let page = try reads.changes(after: try reads.floor(), seenBy: .max, limit: 1000)
        #expect(page.changes.map(\.seq) == Array(head - 49...head))
        try StoreFixture.reopen(&shop, configuration)
        let id = try shop.addBook()
        #expect(try shop.reads().book(id)?.version == head + 1)
        #expect(try Store.checkOpen(shop).isEmpty)
    }

    @Test("Old changes are deleted, but never the last one, because its seq must not be reused")
    func age() throws {
        var configuration = StoreFixture.configuration
        configuration.retentionDaysMax = 0
        var shop = try StoreFixture(configuration)
        for _ in 0..<5 { _ = try shop.addBook() }
        var reads = try shop.reads()
        let head = try reads.head()
        #expect(try eventually { try reads.floor() == head - 1 })
        #expect(try reads.head() == head)
        try StoreFixture.reopen(&shop, configuration)
        reads = try shop.reads()
        #expect(try reads.head() == head)
        let id = try shop.addBook()
        #expect(try reads.book(id)?.version == head + 1)
    }

    @Test("Under load the log stays within its maximum and a few slices")
    func underLoad() throws {
        var configuration = StoreFixture.configuration
        configuration.retentionCountMax = 1000
        let shop = try StoreFixture(configuration)
        let viewer = try shop.addReader("Ada")
        let reading = try shop.startReading(try shop.addBook(), viewer)
        let reads = try shop.reads()
        var longest: Int64 = 0
        for _ in 0..<20 {
            let pending = try (0..<500).map { _ in shop.submit(try shop.entry(#"{"progress": 0.5}"#, reading, viewer)) }
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
        let shop = try StoreFixture(configuration)
        for _ in 0..<300 {
            _ = try shop.addBook()
            #expect(shop.store.counters.walFrames < 200)
        }
        #expect(eventually { shop.store.counters.walFrames == 0 })
    }

    @Test("Large commits are checkpointed after a few of them")
    func largeCommits() throws {
        let shop = try StoreFixture()
        let viewer = try shop.addReader("Ada")
        let reading = try shop.startReading(try shop.addBook(), viewer)
        let note = String(repeating: "a", count: 8900)
        let waiting = try (0..<8).map { _ in
            let lines = try (0..<100).map { _ in
                let wish = try shop.entry(#"{"progress": 0.5, "note": "\#(note)"}"#, reading, viewer)
                return BatchCommand.success((command: wish.command, actor: wish.actor))
            }
            _ = try shop.run(Command(Batch(lines, isAtomic: true) { _ in [] }).by(viewer))
            return shop.store.counters.walFrames
        }
        // Each commit has about 500 frames; a checkpoint of small commits is due at 16,000.
        #expect(waiting.max() ?? 0 < 2500, "\(waiting)")
    }

    @Test("A reader that blocks a checkpoint delays it, and causes no repetition")
    func readerInTheWay() throws {
        var configuration = StoreFixture.configuration
        configuration.checkpointFrames = 50
        configuration.walBytesMax = 200_000
        let shop = try StoreFixture(configuration)
        let reads = try shop.reads()
        try reads.read { () throws(LecternError) in
            _ = try reads.head()
            do { for _ in 0..<100 { _ = try shop.addBook() } } catch { Issue.record(error) }
        }
        #expect(eventually { shop.store.counters.walFrames == 0 })
        #expect(try Store.checkOpen(shop).isEmpty)
    }
}

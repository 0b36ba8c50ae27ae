import Model
import SharedByTests
import Testing

@testable import Store

@Suite("The cost of marks", .serialized, .ownThreads)
struct MarkCostTests {
    private let clock = ContinuousClock()

    /// Returns a store whose reader is in a club and has a reading with very many entries, up to the progress 0.4.
    private func fixture() throws -> (StoreFixture, Viewer, book: ResourceID, reading: ResourceID) {
        var fixture = try StoreFixture()
        let ada = try fixture.addReader("Ada")
        _ = try fixture.addClub(ada)
        let book = try fixture.addBook()
        let reading = try fixture.createReading(book, ada)
        _ = try fixture.record(#"{"page": 40}"#, reading, ada)
        fixture.store.close()
        try TestDatabase.execute(
            fixture.directory + "/lectern.sqlite",
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
            INSERT INTO entries (id, key, reading, progress, happened_at, received_at, scale, amount)
            SELECT randomblob(16), 0, reading, i % progress, i, i, scale, i % amount FROM n, entries
            """)
        try StoreFixture.reopen(&fixture)
        return (fixture, ada, book, reading)
    }

    @Test("An undo, an end or knowledge reads a reader's entries only if it lowers a mark, and then once")
    func once() throws {
        let (fixture, ada, book, reading) = try fixture()
        let reads = try fixture.reads()
        let key = try #require(try reads.reader(ada.reader)?.key)
        let all = try (0..<3).map { _ in
            try clock.measure { _ = try HighWaterMarks.derived(key, in: reads.db) }
        }.min()!
        let places = Array(try HighWaterMarks.now(key, in: reads.db).keys)
        // The time of the thread does not depend on the machine's load.
        let began = threadNanoseconds()
        let derived = try HighWaterMarks.derived(key, in: reads.db)
        let between = threadNanoseconds()
        #expect(try HighWaterMarks.derived(key, places, in: reads.db) == derived)
        #expect((threadNanoseconds() - between) * 2 < between - began)
        func page(_ page: Int) throws -> ResourceID { try fixture.record("{\"page\": \(page)}", reading, ada).id }
        func know(_ through: String) throws {
            let draft = try PriorKnowledgeDraft(json(#"{"through":\#(through)}"#))
            try fixture.run(Command.putKnowledge(of: book, draft).by(ada))
        }
        /// Returns the least time of several rounds, each after a preparation.
        func least<Value>(_ prepare: () throws -> Value, _ run: (Value) throws -> Void) throws -> Duration {
            try (0..<3).map { _ in
                let value = try prepare()
                return try clock.measure { try run(value) }
            }.min()!
        }
        func mark() throws -> [Int64] {
            try HighWaterMarks.now(key, in: reads.db).sorted { $0.key < $1.key }.map(\.value)
        }
        let before = try mark()
        let undone = try least({ try page(30) }) { _ = try fixture.deleteEntry($0, reading, ada) }
        #expect(undone < all / 4)
        _ = try fixture.deleteEntry(page(60), reading, ada)
        #expect(try mark() == before)
        // More knowledge raises marks, and less may lower one that only the knowledge held.
        try know(#"{"progress":0.1}"#)
        func forget() throws { try fixture.run(Command.deleteKnowledge(of: book).by(ada)) }
        #expect(try least(forget) { try know(#"{"progress":0.2}"#) } < all / 4)
        try know(#"{"progress":0.1}"#)
        let finished = try least({ _ = try fixture.updateReading(reading, #"{"isFinished":false}"#, ada) }) {
            _ = try fixture.updateReading(reading, #"{"isFinished":true}"#, ada)
        }
        #expect(finished < all / 4)
        #expect(try mark().first == 1_000_000)
        _ = try fixture.updateReading(reading, #"{"isFinished":false}"#, ada)
        // An equal statement of knowledge holds the mark that an undone entry had.
        let entry = try page(70)
        try know(#"{"page":70}"#)
        let held = try mark()
        _ = try fixture.deleteEntry(entry, reading, ada)
        #expect(try mark() == held)
        try forget()
        #expect(try mark() == before)
        #expect(try Store.checkOpen(fixture).isEmpty)
    }
}

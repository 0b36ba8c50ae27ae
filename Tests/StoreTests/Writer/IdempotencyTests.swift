import Glibc
import JSON
import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

@Suite("Idempotency keys", .serialized, .ownThreads)
struct IdempotencyTests {
    let directory = StoreFixture.newDirectory()

    private func key(_ viewer: Viewer, _ key: String, _ request: String) -> IdempotencyKey {
        IdempotencyKey(readerKey: viewer.readerKey, key: key, request: SHA256.digest(of: Array(request.utf8)))
    }

    @Test("The same request with the same key happens once, also across a restart")
    func replay() throws {
        var fixture = try StoreFixture(in: directory)
        let viewer = try fixture.addReader("Ada")
        let reading = try fixture.createReading(try fixture.addBook(), viewer)
        _ = fixture.takeChanges()
        let first = try fixture.record(#"{"progress": 0.5}"#, reading, viewer, key: key(viewer, "k", "a"))
        #expect(!first.isReplay)
        #expect(fixture.takeChanges().count == 2)
        func again() throws {
            let second = try fixture.record(#"{"progress": 0.5}"#, reading, viewer, key: key(viewer, "k", "a"))
            #expect(second.isReplay && second.id == first.id && second.version == first.version)
            #expect(second.value == first.value && second.kind == .entry && second.effect == .created)
            #expect(fixture.takeChanges().isEmpty)
        }
        try again()
        // Later changes of the entry do not matter.
        _ = try fixture.deleteEntry(first.id, reading, viewer)
        _ = fixture.takeChanges()
        try again()
        try StoreFixture.reopen(&fixture)
        try again()
    }

    @Test("Another request with the same key is refused, and another reader's key is independent")
    func otherRequest() throws {
        let fixture = try StoreFixture(in: directory)
        let ada = try fixture.addReader("Ada")
        let grace = try fixture.addReader("Grace")
        let book = try fixture.addBook()
        let mine = try fixture.createReading(book, ada)
        let hers = try fixture.createReading(book, grace)
        _ = try fixture.record(#"{"progress": 0.5}"#, mine, ada, key: key(ada, "k", "a"))
        _ = fixture.takeChanges()
        let refusal = RequestError.refused(
            .idempotencyKeyReused, "This Idempotency-Key was used for another request. Send a new key.")
        #expect(throws: refusal) {
            try fixture.record(#"{"progress": 0.6}"#, mine, ada, key: key(ada, "k", "b"))
        }
        #expect(fixture.takeChanges().isEmpty)
        #expect(try !fixture.record(#"{"progress": 0.6}"#, hers, grace, key: key(grace, "k", "b")).isReplay)
    }

    @Test("A refused request leaves its key free")
    func refused() throws {
        let fixture = try StoreFixture(in: directory)
        let viewer = try fixture.addReader("Ada")
        let reading = try fixture.createReading(try fixture.addBook(), viewer)
        _ = try fixture.updateReading(reading, #"{"isFinished": true}"#, viewer)
        let key = key(viewer, "k", "a")
        #expect(throws: RequestError.self) { try fixture.record(#"{"progress": 0.5}"#, reading, viewer, key: key) }
        _ = try fixture.updateReading(reading, #"{"isFinished": false}"#, viewer)
        #expect(try !fixture.record(#"{"progress": 0.5}"#, reading, viewer, key: key).isReplay)
    }

    @Test("Of two concurrent commands one is applied and the other gets its conflict")
    func together() throws {
        let fixture = try StoreFixture(in: directory)
        let viewer = try fixture.addReader("Ada")
        let reading = try fixture.createReading(try fixture.addBook(), viewer)
        _ = fixture.takeChanges()
        let holding = Holding()
        let held = fixture.submit(holding.request)
        holding.waitUntilHeld()
        let pending = try (0..<3).map { _ in
            fixture.submit(try fixture.entry(#"{"progress": 0.5}"#, reading, viewer), key: key(viewer, "k", "a"))
        }
        holding.letGo()
        _ = held.wait()
        let outcomes = try pending.map { try $0.wait().get() }
        #expect(outcomes.map(\.isReplay) == [false, true, true])
        #expect(Set(outcomes.map(\.id)).count == 1)
        #expect(fixture.takeChanges().count == 2)
    }

    @Test("An expired key is free, whether it was deleted or not")
    func expiry() throws {
        var configuration = StoreFixture.configuration
        configuration.idempotencyHours = 0
        let fixture = try StoreFixture(configuration, in: directory)
        let viewer = try fixture.addReader("Ada")
        let reading = try fixture.createReading(try fixture.addBook(), viewer)
        func record() throws -> CommandOutcome {
            let now = Instant.now
            _ = eventually { Instant.now > now }
            return try fixture.record(#"{"progress": 0.5}"#, reading, viewer, key: key(viewer, "k", "a"))
        }
        #expect(try !record().isReplay)
        #expect(try !record().isReplay)
        let reads = try fixture.reads()
        let count = {
            try reads.query { db throws(SQLiteError) in try db.number("SELECT count(*) FROM idempotency_keys") }
        }
        #expect(try eventually { try count() == 0 })
    }
}

extension StoreFixture {
    /// Closes the store and opens another one in the same directory.
    static func reopen(_ fixture: inout StoreFixture, _ configuration: StoreConfiguration = StoreFixture.configuration)
        throws
    {
        fixture.store.close()
        let old = fixture
        let next = try StoreFixture(configuration, in: fixture.directory)
        old.keepsDirectory.store(true, ordering: .relaxed)
        fixture = next
    }
}

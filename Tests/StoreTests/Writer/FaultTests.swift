import CSQLite
import Glibc
import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

@Suite("Disk failures", .serialized)
struct FaultTests {
    init() { FaultyDisk.install }

    private func addition(_ viewer: Viewer) throws -> ActorCommand {
        Command.createBook(try .whole(#"{"title": "A"}"#)).by(viewer)
    }

    @Test("A full disk refuses writes, allows reads, and accepts writes again when there is space")
    func full() throws {
        let fixture = try StoreFixture(StoreFixture.durable)
        let viewer = try fixture.administrator
        let id = try fixture.addBook()
        let reads = try fixture.reads()
        let head = try reads.head()
        _ = fixture.takeChanges()
        FaultyDisk.set(.full, in: fixture.directory)
        defer { FaultyDisk.set(nil, in: fixture.directory) }
        #expect(throws: RequestError.outOfSpace) { try fixture.run(addition(viewer)) }
        #expect(fixture.store.isOutOfSpace)
        #expect(access(fixture.directory + "/ballast", F_OK) != 0, "the ballast was given back")
        #expect(throws: RequestError.outOfSpace) { try fixture.run(addition(viewer)) }
        #expect(try reads.book(id)?.title == "Emma")
        #expect(try fixture.reads().head() == head)
        #expect(fixture.takeChanges().isEmpty)
        FaultyDisk.set(nil, in: fixture.directory)
        #expect(eventually { !fixture.store.isOutOfSpace }, "also without a write that asks")
        #expect(access(fixture.directory + "/ballast", F_OK) == 0)
        #expect(try fixture.run(addition(viewer)).version == head + 1)
        #expect(try Store.checkOpen(fixture).isEmpty)
    }

    @Test("Commands that wait together are refused together, without effect")
    func fullBatch() throws {
        let fixture = try StoreFixture(StoreFixture.durable)
        let viewer = try fixture.administrator
        let head = try fixture.reads().head()
        let holding = Holding()
        let held = fixture.submit(holding.request)
        holding.waitUntilHeld()
        let pending = try (0..<10).map { _ in fixture.submit(try addition(viewer)) }
        FaultyDisk.set(.full, in: fixture.directory)
        defer { FaultyDisk.set(nil, in: fixture.directory) }
        holding.letGo()
        _ = held.wait()
        for answer in pending {
            #expect(throws: RequestError.outOfSpace) { try answer.wait().get() }
        }
        #expect(try fixture.reads().head() == head)
    }

    /// The stores that cannot be closed after a failure, because their writer has stopped for good, as the process
    /// would.
    private static let stranded = Mutex<[Store]>([])

    static func strand(_ store: Store) { stranded.withLock { $0.append(store) } }

    @Test("After a failed sync no command is acknowledged, no commit is published, and the process must end")
    func failedSync() throws {
        let directory = StoreFixture.newDirectory(on: .disk)
        defer { StoreFixture.remove(directory) }
        let messages = Mutex<[String]>([])
        let answers = Mutex(0)
        let store = try Store.open(
            directory: directory, configuration: StoreFixture.durable,
            fail: { message in
                messages.withLock { $0.append(message) }
                while true { pause() }
            }, receive: { _ in answers.withLock { $0 += 1 } })
        Self.strand(store)
        try store.ensureAdministrator()
        let viewer = try #require(try store.makeReadConnection().localAdministrator())
        answers.withLock { $0 = 0 }
        FaultyDisk.set(.sync, in: directory)
        defer { FaultyDisk.set(nil, in: directory) }
        for _ in 0..<3 {
            _ = store.submit(
                SubmittedCommand(try addition(viewer)) { _ in answers.withLock { $0 += 1 } })
        }
        #expect(eventually { messages.withLock { !$0.isEmpty } })
        #expect(messages.withLock { $0.count } == 1)
        #expect(messages.withLock { $0.first?.contains("unknown") == true })
        #expect(answers.withLock { $0 } == 0)
    }

    @Test("A transaction that cannot be rolled back ends the process, and no command is acknowledged")
    func stuck() throws {
        let directory = StoreFixture.newDirectory()
        defer { StoreFixture.remove(directory) }
        let messages = Mutex<[String]>([])
        let store = try Store.open(directory: directory, configuration: StoreFixture.configuration) { message in
            messages.withLock { $0.append(message) }
            while true { pause() }
        }
        Self.strand(store)
        try store.ensureAdministrator()
        let answers = Atomic(0)
        let command = Command { state, _ in
            // From here on the writer's connection is interrupted at each step, including those of a ROLLBACK.
            sqlite3_progress_handler(state.db.handle, 1, { _ in 1 }, nil)
            return CommandDecision([])
        }
        _ = store.submit(SubmittedCommand(command.byTheServer()) { _ in answers.add(1, ordering: .relaxed) })
        #expect(eventually { messages.withLock { !$0.isEmpty } })
        #expect(messages.withLock { $0 }.first?.contains("cannot be rolled back") == true)
        #expect(answers.load(ordering: .relaxed) == 0)
    }

    @Test("A commit syncs once; a group that changes nothing does not sync")
    func syncs() throws {
        let fixture = try StoreFixture(StoreFixture.durable)
        let id = try fixture.addBook()
        let before = FaultyDisk.syncs(in: fixture.directory)
        for _ in 0..<5 { _ = try fixture.updateBook(id, #"{"title": "Emma"}"#) }
        #expect(throws: RequestError.notFound) { try fixture.updateBook(ResourceID(high: 0, low: 1), "{}") }
        #expect(FaultyDisk.syncs(in: fixture.directory) == before)
        let commits = fixture.store.counters[.commits]
        _ = try fixture.updateBook(id, #"{"title": "Persuasion"}"#)
        #expect(FaultyDisk.syncs(in: fixture.directory) > before)
        #expect(fixture.store.counters[.commits] == commits + 1)
    }
}

/// A file system of four megabytes, if mounting is allowed.
private final class SmallDisk {
    let path: String

    init?() {
        path = StoreFixture.newDirectory(on: .disk)
        guard mount("lectern", path, "tmpfs", 0, "size=4m,mode=0700") == 0 else {
            rmdir(path)
            return nil
        }
    }

    /// Fills the file system.
    func fill() {
        let file = open(path + "/filler", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let bytes = [UInt8](repeating: 1, count: 4096)
        while write(file, bytes, bytes.count) > 0 {}
        close(file)
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    static let isPossible: Bool = {
        guard let disk = SmallDisk() else { return false }
        return !disk.path.isEmpty
    }()
}

@Suite("A disk that is really full", .enabled(if: SmallDisk.isPossible, "a file system can be mounted only by root"))
struct FullDiskTests {
    @Test("Writes are refused with outOfSpace, reads continue, and freed space is used without a restart")
    func full() throws {
        let disk = try #require(SmallDisk())
        var configuration = StoreConfiguration()
        configuration.ballastBytes = 256 << 10
        let fixture = try StoreFixture(configuration, in: disk.path)
        let id = try fixture.addBook()
        let reads = try fixture.reads()
        disk.fill()
        var accepted: [ResourceID] = []
        var refusals = 0
        while refusals < 5, accepted.count < 10_000 {
            do { accepted.append(try fixture.addBook("{\"title\": \"\(String(repeating: "x", count: 400))\"}")) } catch
            {
                #expect(error as? RequestError == .outOfSpace)
                refusals += 1
            }
        }
        #expect(refusals == 5)
        #expect(fixture.store.isOutOfSpace)
        #expect(try reads.book(id)?.title == "Emma")
        #expect(try fixture.reads().book(id)?.title == "Emma")
        for book in accepted { #expect(try reads.book(book) != nil) }
        unlink(disk.path + "/filler")
        #expect(eventually { !fixture.store.isOutOfSpace })
        let after = try fixture.addBook()
        #expect(try reads.book(after) != nil)
        #expect(try Store.checkOpen(fixture).isEmpty)
    }
}

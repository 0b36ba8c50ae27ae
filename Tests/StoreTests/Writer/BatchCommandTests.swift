import Foundation
import Glibc
import JSON
import Model
import Synchronization
import Testing

@testable import Store

@Suite("Batches of commands")
struct BatchCommandTests {
    /// The results of each line, in their order.
    private final class ReceivedEvents: Sendable {
        let answers = Mutex<[String]>([])
    }

    private func batch(_ wishes: [ActorCommand], isAtomic: Bool, _ received: ReceivedEvents = ReceivedEvents())
        -> ActorCommand
    {
        let batch = Batch(wishes.map { .success(($0.command, $0.actor)) }, isAtomic: isAtomic) { answers in
            received.answers.withLock {
                $0 = answers.map { answer in
                    switch answer {
                    case .success(let outcome): outcome.effect.map { "\($0)" } ?? "unchanged"
                    case .failure(.internalError): "internal"
                    case .failure: "refused"
                    }
                }
            }
            return Array("{}".utf8)
        }
        return Command(batch).byTheServer()
    }

    private func addition(_ fixture: StoreFixture, _ title: String, id: ResourceID? = nil) throws -> ActorCommand {
        Command.createBook(try .whole("{\"title\": \"\(title)\"}")).by(try fixture.administrator, id: id)
    }

    /// Holds the writer, submits all commands, and releases it: they form one commit.
    private func together(_ wishes: [ActorCommand], in fixture: StoreFixture) -> [Result<CommandOutcome, RequestError>]
    {
        let holding = Holding()
        let held = fixture.submit(holding.request)
        holding.waitUntilHeld()
        let pending = wishes.map { fixture.submit($0) }
        holding.letGo()
        _ = held.wait()
        return pending.map { $0.wait() }
    }

    @Test("A commit beside a refused atomic batch that was larger than the cache survives a crash")
    func largeRefused() throws {
        var configuration = StoreFixture.configuration
        configuration.isDurable = true
        let fixture = try StoreFixture(configuration)
        let shrinking = Command { state, _ in
            #expect(throws: Never.self) { try state.db.execute("PRAGMA cache_size = 20") }
            return CommandDecision([])
        }
        try fixture.run(shrinking.byTheServer())
        let text = String(repeating: "long ", count: 1000)
        let book = try fixture.addBook()
        let large = try (0..<100).map { _ in
            let body = "{\"book\": \"\(book)\", \"body\": \"\(text)\", \"threshold\": \"everyone\"}"
            return Command.createNote(try NoteDraft(json(body))).by(try fixture.administrator)
        }
        let missing = Command.deleteBook(ResourceID(high: 0, low: 1)).by(try fixture.administrator)
        let before = try (0..<40).map { try addition(fixture, "Before \($0)") }
        let answers = together(
            before + [batch(large + [missing], isAtomic: true), try addition(fixture, "After")], in: fixture)
        #expect(answers.count { (try? $0.get()) != nil } == 41)
        // As after `kill -9`: the next start recovers the log.
        let copy = StoreFixture.newDirectory()
        for name in ["lectern.sqlite", "lectern.sqlite-wal"] {
            try FileManager.default.copyItem(atPath: "\(fixture.directory)/\(name)", toPath: "\(copy)/\(name)")
        }
        let recovered = try StoreFixture(configuration, in: copy)
        #expect(try recovered.reads().head() == fixture.reads().head())
    }

    @Test(
        "A line that the database refuses rolls back that line, or its atomic batch, and nothing of others"
    )
    func clash() throws {
        let fixture = try StoreFixture()
        let taken = try fixture.addBook()
        let head = try fixture.reads().head()
        _ = fixture.takeChanges()
        let received = ReceivedEvents()
        // The id is taken: no rule checks it, but the database does.
        let lines = [
            try addition(fixture, "Gargantua"), try addition(fixture, "X", id: taken),
            try addition(fixture, "Pantagruel"),
        ]
        let answers = together(
            [
                try addition(fixture, "A"), batch(lines, isAtomic: true), try addition(fixture, "B"),
                batch(lines, isAtomic: false, received), try addition(fixture, "C"),
            ], in: fixture)
        #expect(answers.map { (try? $0.get()) != nil } == [true, false, true, true, true])
        guard case .failure(.inBatch(1, .internalError(let text))) = answers[1] else {
            Issue.record("\(answers[1])")
            return
        }
        #expect(text.contains("UNIQUE"))
        #expect(received.answers.withLock { $0 } == ["created", "internal", "created"])
        let commits = fixture.takeCommits()
        #expect(commits.count == 1 && commits[0].changes.map(\.seq) == Array(head + 1...head + 5))
        #expect(commits[0].changes.allSatisfy { $0.transaction == $0.seq })
        #expect(try Store.checkOpen(fixture) == [])
    }

    @Test("A batch whose last line is refused publishes nothing and writes nothing")
    func refused() throws {
        let fixture = try StoreFixture()
        let ada = try fixture.addReader("Ada")
        let book = try fixture.addBook()
        let reading = try fixture.createReading(book, ada)
        let head = try fixture.reads().head()
        _ = fixture.takeChanges()
        let commits = fixture.store.counters[.commits]
        let lines = [
            try addition(fixture, "A"), try fixture.entry(#"{"progress": 0.5}"#, reading, ada),
            Command.deleteReading(reading).by(ada), try fixture.entry(#"{"progress": 0.6}"#, reading, ada),
        ]
        #expect(throws: RequestError.inBatch(line: 3, .notFound)) { try fixture.run(batch(lines, isAtomic: true)) }
        #expect(fixture.takeCommits().isEmpty && fixture.store.counters[.commits] == commits)
        // The writer's cached reading is unchanged.
        #expect(try fixture.record(#"{"progress": 0.7}"#, reading, ada).version == head + 1)
        #expect(try fixture.run(batch(Array(lines.dropLast()), isAtomic: true)).effect == .updated)
        let changes = fixture.takeCommits().last?.changes ?? []
        #expect(Set(changes.map(\.transaction)).count == 1 && changes.first?.transaction == changes.first?.seq)
        #expect(changes.map(\.summary).first == "book created" && changes.map(\.summary).last == "reading deleted")
        #expect(try Store.checkOpen(fixture) == [])
    }

    @Test("Lines count as commands: the queue's and a commit's limits hold")
    func weights() throws {
        let queue = CommandQueue(countMax: 10)
        let fixture = try StoreFixture()
        let one = try addition(fixture, "A")
        func add(_ request: ActorCommand) -> Bool { queue.add(SubmittedCommand(request) { _ in }) }
        let four = batch([one, one, one, one], isAtomic: true)
        #expect(add(one) && add(four) && add(one) && add(four) && queue.count == 10)
        #expect(!add(one))
        var pending = PendingCommands()
        pending.add(try #require(queue.take(patience: 0)))
        #expect(queue.count == 10 && !pending.isEmpty)
        queue.begin(weight: 6)
        #expect(queue.count == 4 && add(four) && queue.take(patience: 0)?.count == 1)
        func turn(_ max: Int) -> Int {
            var turn = PendingCommands.TransactionLimits(max: max)
            var count = 0
            while pending.next(in: &turn) != nil { count += 1 }
            return count
        }
        #expect(turn(5) == 2 && turn(3) == 1 && turn(100) == 1 && pending.isEmpty)
    }
}

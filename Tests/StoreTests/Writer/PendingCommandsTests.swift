import JSON
import Measures
import Model
import Synchronization
import Testing

@testable import Store

@Suite("The writer's turns")
struct PendingCommandsTests {
    private func submission(by reader: Int64, lines: Int = 0) -> SubmittedCommand {
        let viewer = Viewer(
            reader: ResourceID(high: 0, low: UInt64(reader)), readerKey: reader, role: .reader, access: .write,
            token: nil,
            expiresAt: nil)
        let line = BatchCommand.failure(.notFound)
        let batch = Batch(Array(repeating: line, count: lines), isAtomic: true) { _ in [] }
        let command = lines > 0 ? Command(batch) : Command { _, _ in CommandDecision([]) }
        return SubmittedCommand(command: command, actor: CommandActor(viewer)) { _ in }
    }

    /// Returns the readers of one transaction, in order; each command costs `cost` microseconds.
    private func turn(_ pending: inout PendingCommands, max: Int = 256, cost: Int) -> [Int64] {
        var turn = PendingCommands.TransactionLimits(max: max)
        var readers: [Int64] = []
        while let command = pending.next(in: &turn) {
            readers.append(command.subject)
            pending.charge(cost, to: command.subject)
        }
        return readers
    }

    @Test("A reader with many writes gets the turns of one")
    func manyWrites() {
        var pending = PendingCommands()
        pending.add((0..<6).map { _ in submission(by: 1) } + [submission(by: 2), submission(by: 3)])
        #expect(turn(&pending, cost: PendingCommands.quantum) == [1, 2, 3, 1, 1, 1, 1, 1])
        pending.add((0..<6).map { _ in submission(by: 1) } + [submission(by: 2)])
        #expect(turn(&pending, max: 3, cost: PendingCommands.quantum / 2) == [2, 1, 1])
    }

    @Test("A large command begins a transaction, and commands that arrive meanwhile are served before the next one")
    func large() {
        var pending = PendingCommands()
        pending.add([submission(by: 2), submission(by: 1, lines: 100), submission(by: 3)])
        #expect(turn(&pending, cost: 100) == [2])
        pending.add([submission(by: 4)])
        #expect(turn(&pending, cost: 100) == [3])
        pending.add([submission(by: 5)])
        #expect(turn(&pending, cost: 100) == [1, 4, 5] && pending.isEmpty)
    }

    @Test("The rest of a large batch yields again to commands that wait behind it")
    func rest() {
        var pending = PendingCommands()
        let batch = submission(by: 1, lines: 100)
        pending.add([submission(by: 2), batch, submission(by: 3)])
        for _ in 0..<3 {
            #expect(turn(&pending, cost: 100) == [2])
            #expect(turn(&pending, cost: 100) == [3])
            var limits = PendingCommands.TransactionLimits(max: 256)
            #expect(pending.next(in: &limits) === batch && pending.isEmpty)
            pending.add([submission(by: 2)])
            pending.putBack(batch)
            pending.add([submission(by: 3)])
        }
    }

    /// Returns a batch of books with these titles.
    private func books(_ fixture: StoreFixture, _ titles: [String], isAtomic: Bool = false, isRepeatable: Bool = false)
        throws
        -> ActorCommand
    {
        let viewer = try fixture.administrator
        let lines = try titles.map { title in
            let request = Command.createBook(try .whole("{\"title\": \"\(title)\"}")).by(viewer)
            return BatchCommand.success((request.command, request.actor))
        }
        let batch = Batch(lines, isAtomic: isAtomic, isRepeatable: isRepeatable) { answers in
            Array("\(answers.count { (try? $0.get().effect) == .created })".utf8)
        }
        return Command(batch).by(viewer)
    }

    /// Returns a store whose transactions take one command, or one line, each.
    private func fixture() throws -> StoreFixture {
        var configuration = StoreFixture.configuration
        configuration.turnMicrosecondsMax = 0
        return try StoreFixture(configuration)
    }

    @Test("A batch that is not atomic is applied in several transactions, between which others write")
    func split() throws {
        let fixture = try fixture()
        let ada = try fixture.addReader("Ada")
        let reading = try fixture.createReading(try fixture.addBook(), ada)
        _ = fixture.takeCommits()
        let holding = Holding()
        let held = fixture.submit(holding.request)
        holding.waitUntilHeld()
        let titles = (0..<20).map { "T\($0)" }
        let batch = fixture.submit(try books(fixture, titles))
        let entry = fixture.submit(try fixture.entry(#"{"progress": 0.5}"#, reading, ada))
        holding.letGo()
        _ = held.wait()
        let outcome = try batch.wait().get()
        #expect(outcome.value == Array("20".utf8) && outcome.effect == .updated)
        _ = try entry.wait().get()
        let commits = fixture.takeCommits().map { $0.changes.map(\.kind) }
        #expect(commits.count == 21 && commits.filter { $0 == [.book] }.count == 20)
        // Other commands run before the batch's last line, or before its first if they are due first.
        #expect(commits.last == [.book])
        #expect(try Store.checkOpen(fixture) == [])
    }

    @Test("An atomic batch, and one with a key, is one transaction, unless it may be repeated")
    func whole() throws {
        let fixture = try fixture()
        let key = IdempotencyKey(
            readerKey: try fixture.administrator.readerKey, key: "k", request: SHA256.digest(of: Array("a".utf8)))
        _ = fixture.takeCommits()
        _ = try fixture.run(try books(fixture, ["A", "B", "C"], isAtomic: true))
        #expect(fixture.takeCommits().count == 1)
        _ = try fixture.run(try books(fixture, ["D", "E", "F"]), key: key)
        #expect(fixture.takeCommits().count == 1)
        let repeated = try fixture.run(try books(fixture, ["D", "E", "F"], isRepeatable: true), key: key)
        #expect(repeated.isReplay && fixture.takeCommits().isEmpty)
        let other = IdempotencyKey(
            readerKey: key.readerKey, key: "l", request: SHA256.digest(of: Array("b".utf8)))
        _ = try fixture.run(try books(fixture, ["G", "H", "I"], isRepeatable: true), key: other)
        #expect(fixture.takeCommits().count == 3)
        #expect(try fixture.run(try books(fixture, ["G"], isRepeatable: true), key: other).value == Array("3".utf8))
    }

    @Test("The store measures the duration of its turns")
    func measured() throws {
        let fixture = try fixture()
        let before = fixture.store.counters.turns[0].count
        _ = try fixture.run(try books(fixture, ["A", "B", "C"]))
        #expect(fixture.store.counters.turns[0].count >= before + 3 && fixture.store.counters.turns[0].greatest > 0)
    }
}

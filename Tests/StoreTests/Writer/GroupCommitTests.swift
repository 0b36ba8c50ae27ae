import Model
import Synchronization
import Testing

@testable import Store

@Suite("Group commit")
struct GroupCommitTests {
    /// Returns a command for a row that is impossible: its id, or its key, is taken.
    private func clash(_ book: Book) -> ActorCommand {
        Command { _, actor in
            CommandDecision([
                RowWrite<BookTable>(before: nil, after: Book(id: actor.newID, createdAt: actor.now)),
                RowWrite<BookTable>(before: nil, after: book),
            ])
        }.byTheServer()
    }

    /// Holds the writer, submits all commands, and releases it: they form one batch.
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

    private func addition(_ fixture: StoreFixture, _ title: String) throws -> ActorCommand {
        Command.createBook(try .whole("{\"title\": \"\(title)\"}")).by(try fixture.administrator)
    }

    @Test("Commands that wait together are committed together, each with its own transaction number")
    func together() throws {
        let fixture = try StoreFixture()
        let answers = together(try (0..<20).map { try addition(fixture, "T\($0)") }, in: fixture)
        #expect(answers.allSatisfy { (try? $0.get().effect) == .created })
        let commits = fixture.takeCommits()
        #expect(commits.count == 1)
        #expect(commits[0].changes.count == 20)
        #expect(commits[0].changes.allSatisfy { $0.transaction == $0.seq })
        #expect(commits[0].head == commits[0].changes[19].seq)
    }

    @Test("A command that the database refuses rolls back alone and leaves no gap in the numbers")
    func alone() throws {
        let fixture = try StoreFixture()
        let taken = try fixture.addBook()
        let head = try fixture.reads().head()
        _ = fixture.takeChanges()
        let clash = clash(Book(id: taken, title: "X", createdAt: .now))
        let answers = together([try addition(fixture, "A"), clash, try addition(fixture, "B"), clash], in: fixture)
        #expect(answers.map { (try? $0.get()) != nil } == [true, false, true, false])
        if case .failure(.internalError(let text)) = answers[1] {
            #expect(text.contains("UNIQUE"))
        } else {
            Issue.record("not refused")
        }
        let commits = fixture.takeCommits()
        #expect(commits.count == 1)
        #expect(commits[0].changes.map(\.seq) == [head + 1, head + 2])
        #expect(try fixture.reads().changes(after: head, seenBy: .max, limit: 10).changes.count == 2)
        #expect(try fixture.addBook() != taken)
        #expect(fixture.takeChanges().map(\.seq) == [head + 3])
    }

    @Test("Words that were rolled back with their book are stored when another book has them")
    func words() throws {
        let fixture = try StoreFixture()
        let taken = Book(id: try fixture.addBook(), title: "X", createdAt: .now)
        let refused = Command { _, actor in
            var book = Book(id: actor.newID, createdAt: actor.now)
            book.title = "Gargantua"
            return CommandDecision([
                RowWrite<BookTable>(before: nil, after: book), RowWrite<BookTable>(before: nil, after: taken),
            ])
        }.byTheServer()
        let answers = together(
            [try addition(fixture, "Pantagruel"), refused, try addition(fixture, "Gargantua")], in: fixture)
        #expect(answers.map { (try? $0.get()) != nil } == [true, false, true])
        #expect(try Store.checkOpen(fixture) == [])
    }

    @Test("A command that is decided again after another's refusal creates the same as before")
    func again() throws {
        let fixture = try StoreFixture()
        let taken = try fixture.addBook()
        let asked = Mutex<[[ResourceID]]>([])
        let request = Command { _, actor in
            asked.withLock { $0.append([actor.newID, actor.otherID]) }
            return CommandDecision([
                RowWrite<BookTable>(before: nil, after: Book(id: actor.newID, createdAt: actor.now))
            ])
        }.byTheServer()
        let answers = together([request, clash(Book(id: taken, title: "X", createdAt: .now))], in: fixture)
        let decided = asked.withLock { $0 }
        #expect(decided.count == 2 && decided[0] == decided[1] && Set(decided[0]).count == 2)
        #expect(try answers[0].get().id == decided[0][0])
    }

    @Test("A later command of a group sees what an earlier one did")
    func order() throws {
        let fixture = try StoreFixture()
        let viewer = try fixture.administrator
        let add = try addition(fixture, "A")
        let id = ResourceID(high: 3, low: 4)
        let put = Command.putBook(id, try .whole(#"{"title": "A"}"#)).by(
            viewer, if: Precondition(ifNoneMatch: .any))
        let answers = together([add, put, put], in: fixture)
        #expect(answers.map { (try? $0.get()) != nil } == [true, true, false])
    }

    @Test("Listeners receive a commit before the commands' callers, in the order of submission")
    func hearing() throws {
        let order = Mutex<[String]>([])
        let directory = StoreFixture.newDirectory()
        defer { StoreFixture.remove(directory) }
        let store = try Store.open(
            directory: directory, configuration: StoreFixture.configuration,
            receive: { _ in order.withLock { $0.append("commit") } })
        defer { store.close() }
        try store.ensureAdministrator()
        order.withLock { $0 = [] }
        let holding = Holding()
        _ = store.submit(
            SubmittedCommand(holding.request) { _ in
                order.withLock { $0.append("held") }
            })
        holding.waitUntilHeld()
        let done = Semaphore()
        for name in ["a", "b", "c"] {
            let patch = try BookPatch.whole("{\"title\": \"\(name)\"}")
            let viewer = try #require(try store.makeReadConnection().localAdministrator())
            let command = Command.createBook(patch).by(viewer)
            _ = store.submit(
                SubmittedCommand(command) { _ in
                    order.withLock { $0.append(name) }
                    if name == "c" { done.signal() }
                })
        }
        holding.letGo()
        done.wait()
        #expect(order.withLock { $0 } == ["held", "commit", "a", "b", "c"])
    }

    @Test("A commit reaches its receiver through as many calls after five hundred commits as after one")
    func constantDepth() throws {
        let addresses = Mutex<[UInt]>([])
        let directory = StoreFixture.newDirectory()
        defer { StoreFixture.remove(directory) }
        let store = try Store.open(
            directory: directory, configuration: StoreFixture.configuration,
            receive: { _ in
                var onStack = 0
                let address = withUnsafeMutablePointer(to: &onStack) { UInt(bitPattern: $0) }
                addresses.withLock { $0.append(address) }
            })
        defer { store.close() }
        try store.ensureAdministrator()
        let viewer = try #require(try store.makeReadConnection().localAdministrator())
        for number in 0..<500 {
            let done = Semaphore()
            let command = Command.createBook(try BookPatch.whole("{\"title\": \"\(number)\"}")).by(viewer)
            #expect(store.submit(SubmittedCommand(command) { _ in done.signal() }))
            done.wait()
        }
        let all = addresses.withLock { $0 }
        #expect(all.count > 500)
        // A function that is wrapped once more for each commit needs 64 bytes more each time.
        #expect(try #require(all.max()) - #require(all.min()) < 4096)
    }

    @Test("The queue is bounded; accepted commands finish before the store closes, and later ones are refused")
    func bounds() throws {
        var configuration = StoreFixture.configuration
        configuration.queueMax = 2
        let fixture = try StoreFixture(configuration)
        let holding = Holding()
        let held = fixture.submit(holding.request)
        holding.waitUntilHeld()
        let command = try addition(fixture, "A")
        let second = try addition(fixture, "B")
        #expect(fixture.store.waitingCommands == 0)
        let pending = [fixture.submit(command), fixture.submit(second)]
        #expect(fixture.store.waitingCommands == 2)
        #expect(throws: RequestError.unavailable(.tooManyWrites, "full", retryAfterSeconds: 1)) {
            try fixture.run(second)
        }
        holding.letGo()
        _ = held.wait()
        fixture.store.close()
        #expect(pending.map(\.isAnswered) == [true, true])
        #expect(throws: RequestError.self) { try fixture.run(command) }
    }

    @Test("Many concurrent threads lose nothing, and every response's change is in the log")
    func manyThreads() async throws {
        let fixture = try StoreFixture()
        let viewer = try fixture.addReader("Ada")
        let reading = try fixture.createReading(try fixture.addBook(), viewer)
        let head = try fixture.reads().head()
        _ = fixture.takeChanges()
        let versions = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for client in 0..<8 {
                group.addTask {
                    let pending = try (0..<50).map { index in
                        fixture.submit(try fixture.entry("{\"progress\": 0.\(client + 1)\(index)}", reading, viewer))
                    }
                    return try pending.map { try $0.wait().get().version }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(versions).count == 400)
        let published = fixture.takeChanges()
        #expect(published.map(\.seq) == Array(head + 1...head + Int64(published.count)))
        #expect(Set(versions).isSubset(of: published.map(\.seq)))
        #expect(try Store.checkOpen(fixture).isEmpty)
    }
}

extension Store {
    /// Returns the findings of a check, after closing the store.
    static func checkOpen(_ fixture: StoreFixture) throws -> [String] {
        fixture.store.close()
        return try Store.check(directory: fixture.directory)
    }
}

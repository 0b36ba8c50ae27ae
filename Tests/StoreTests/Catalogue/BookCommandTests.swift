import JSON
import Model
import Store
import Testing

@Suite("Books")
struct BookCommandTests {
    @Test("A new book is one change for everyone, and its version is the change's seq")
    func create() throws {
        let fixture = try StoreFixture()
        let id = try fixture.addBook(#"{"title": "Emma", "authors": ["Jane Austen"], "isbn": "9780306406157"}"#)
        let changes = fixture.takeChanges()
        #expect(changes.map(\.summary) == ["book created"])
        #expect(changes[0].scope == .everyone)
        #expect(changes[0].transaction == changes[0].seq)
        let book = try #require(try fixture.reads().book(id))
        #expect(book.version == changes[0].seq)
        #expect(book.encoded() == changes[0].value)
        #expect(book.authors == ["Jane Austen"])
        #expect(changes[0].before == nil)
    }

    static let patches: [(body: String, events: [String])] = [
        (#"{"title": "Emma"}"#, []),
        (#"{}"#, []),
        (#"{"authors": ["Jane Austen"], "pageCount": 100}"#, []),
        (#"{"title": "Persuasion"}"#, ["book updated title"]),
        (#"{"title": "Persuasion", "pageCount": 100, "language": "en"}"#, ["book updated title,language"]),
        (#"{"pageCount": null}"#, ["book updated pageCount"]),
        (#"{"language": null}"#, []),
    ]

    @Test("A patch publishes the changed fields, and nothing when it changes none", arguments: patches)
    func patch(_ row: (body: String, events: [String])) throws {
        let fixture = try StoreFixture()
        let id = try fixture.addBook(#"{"title": "Emma", "authors": ["Jane Austen"], "pageCount": 100}"#)
        let before = try #require(try fixture.reads().book(id))
        let commits = fixture.store.counters[.commits]
        _ = fixture.takeChanges()
        let outcome = try fixture.updateBook(id, row.body)
        let changes = fixture.takeChanges()
        #expect(changes.map(\.summary) == row.events)
        #expect(outcome.effect == (row.events.isEmpty ? nil : .updated))
        let after = try #require(try fixture.reads().book(id))
        #expect(outcome.version == after.version)
        #expect(outcome.value == after.encoded())
        if row.events.isEmpty {
            #expect(after == before)
            #expect(fixture.store.counters[.commits] == commits, "nothing was written, so nothing is synced")
        }
    }

    @Test("PUT creates, changes nothing when repeated, and replaces only the version it names")
    func replace() throws {
        let fixture = try StoreFixture()
        let id = ResourceID(high: 7, low: 9)
        func put(_ body: String, _ precondition: Precondition = Precondition()) throws -> CommandOutcome {
            try fixture.run(
                Command.putBook(id, .whole(body)).by(fixture.administrator, if: precondition))
        }
        #expect(try put(#"{"title": "Emma", "language": "en"}"#).effect == .created)
        #expect(try put(#"{"title": "Emma", "language": "en"}"#).effect == nil)
        let there = try #require(try fixture.reads().book(id))
        for precondition in [Precondition(), Precondition(ifMatch: .versions([there.version + 1]))] {
            #expect(throws: RequestError.self) { try put(#"{"title": "Emma"}"#, precondition) }
        }
        #expect(try fixture.reads().book(id) == there)
        #expect(try put(#"{"title": "Emma"}"#, Precondition(ifMatch: .versions([there.version]))).effect == .updated)
        #expect(try fixture.reads().book(id)?.language == nil)
        #expect(fixture.takeChanges().map(\.summary) == ["book created", "book updated language"])
    }

    @Test("A title change that cards do not show keeps the card version")
    func cardVersion() throws {
        let fixture = try StoreFixture()
        let id = try fixture.addBook()
        let first = try #require(try fixture.reads().book(id))
        _ = try fixture.updateBook(id, #"{"language": "en"}"#)
        let second = try #require(try fixture.reads().book(id))
        #expect(second.cardVersion == first.version && second.version > first.version)
        _ = try fixture.updateBook(id, #"{"title": "Persuasion"}"#)
        let third = try #require(try fixture.reads().book(id))
        #expect(third.cardVersion == third.version)
    }

    @Test("A precondition that names another version changes nothing and returns the current one")
    func preconditions() throws {
        let fixture = try StoreFixture()
        let id = try fixture.addBook()
        let book = try #require(try fixture.reads().book(id))
        let version = book.version
        let rows: [(Precondition, Bool)] = [
            (Precondition(ifMatch: .any), true), (Precondition(ifMatch: .versions([version])), true),
            (Precondition(ifMatch: .versions([version - 1, version])), true),
            (Precondition(ifMatch: .versions([version - 1])), false), (Precondition(ifMatch: .versions([])), false),
            (Precondition(ifNoneMatch: .any), false), (Precondition(ifNoneMatch: .versions([version])), false),
            (Precondition(ifNoneMatch: .versions([version + 1])), true),
        ]
        for (precondition, isMet) in rows {
            if isMet {
                #expect(try fixture.updateBook(id, "{}", precondition).effect == nil)
            } else {
                #expect(throws: RequestError.preconditionFailed(CurrentResourceState(of: book))) {
                    try fixture.updateBook(id, #"{"title": "X"}"#, precondition)
                }
            }
        }
        let missing = Command.putBook(ResourceID(high: 1, low: 1), try .whole(#"{"title": "X"}"#)).by(
            try fixture.administrator, if: Precondition(ifMatch: .any))
        #expect(throws: RequestError.preconditionFailed(nil)) { try fixture.run(missing) }
    }

    @Test("A book without readers is deleted, its value stays in the log, and its seq is never reused")
    func delete() throws {
        let fixture = try StoreFixture()
        let viewer = try fixture.administrator
        let id = try fixture.addBook()
        let delete = Command.deleteBook(id).by(viewer)
        let reading = try fixture.createReading(id, viewer)
        let representation = try fixture.reads().book(id)?.encoded()
        #expect(throws: RequestError.self) { try fixture.run(delete) }
        try fixture.run(Command.deleteReading(reading).by(viewer))
        _ = fixture.takeChanges()
        let outcome = try fixture.run(delete)
        #expect(outcome.effect == .deleted && outcome.value == nil)
        let changes = fixture.takeChanges()
        #expect(changes.map(\.summary) == ["book deleted"])
        #expect(changes[0].before == representation && changes[0].value == nil)
        #expect(try fixture.reads().book(id) == nil)
        #expect(throws: RequestError.notFound) { try fixture.run(delete) }
        #expect(throws: RequestError.notFound) { try fixture.updateBook(id, "{}") }
        let again = Command.putBook(id, try .whole(#"{"title": "Emma"}"#)).by(viewer)
        #expect(try fixture.run(again).version > outcome.version)
    }
}

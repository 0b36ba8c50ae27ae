import JSON
import Model
import Store
import Testing

@Suite("Readings")
struct ReadingCommandTests {
    let fixture: StoreFixture
    let viewer: Viewer
    let book: ResourceID

    init() throws {
        fixture = try StoreFixture()
        viewer = try fixture.addReader("Ada")
        book = try fixture.addBook()
        _ = fixture.takeChanges()
    }

    @Test("A second reading of a book is a re-read, and a used number is not given again")
    func number() throws {
        let other = try fixture.addReader("Grace")
        let first = try fixture.createReading(book, viewer)
        let second = try fixture.createReading(book, viewer)
        let reads = try fixture.reads()
        #expect(try reads.reading(first)?.number == 1)
        #expect(try reads.reading(second)?.number == 2)
        #expect(try reads.reading(try fixture.createReading(book, other))?.number == 1)
        try fixture.run(Command.deleteReading(first).by(viewer))
        #expect(try reads.reading(try fixture.createReading(book, viewer))?.number == 3)
    }

    @Test("A reading without a book is refused at its member")
    func noBook() throws {
        let draft = try ReadingDraft(json("{\"book\": \"\(ResourceID(high: 1, low: 2))\"}"))
        let command = Command.createReading(draft).by(viewer)
        #expect(throws: RequestError.invalid([Violation(pointer: "/book", detail: "there is no such book")])) {
            try fixture.run(command)
        }
    }

    @Test("A finished reading has the whole progress, and a reopened one that of its latest entry")
    func finish() throws {
        let id = try fixture.createReading(book, viewer)
        let entry = try fixture.record(#"{"page": 43}"#, id, viewer)
        _ = fixture.takeChanges()
        _ = try fixture.updateReading(id, #"{"isFinished": true}"#, viewer)
        var reading = try #require(try fixture.reads().reading(id))
        #expect(reading.progress == .whole && reading.page == 100 && reading.finishedAt != nil)
        #expect(reading.latestEntry == entry.id)
        #expect(try fixture.updateReading(id, #"{"state": "finished"}"#, viewer).effect == nil)
        _ = try fixture.updateReading(id, #"{"isFinished": false}"#, viewer)
        reading = try #require(try fixture.reads().reading(id))
        #expect(reading.progress == Progress(page: 43, of: 100) && reading.page == 43 && reading.finishedAt == nil)
        #expect(reading.state == .reading)
        #expect(
            fixture.takeChanges().map(\.summary) == [
                "reading updated state,isFinished,progress,page,finishedAt",
                "reading updated state,isFinished,progress,page,finishedAt",
            ])
    }

    static let states: [(from: String, patch: String, to: ReadingState, isChange: Bool)] = [
        ("reading", #"{"state": "paused"}"#, .paused, true), ("paused", #"{"state": "paused"}"#, .paused, false),
        ("paused", #"{"isFinished": false}"#, .paused, false), ("finished", #"{"isFinished": false}"#, .reading, true),
        ("finished", #"{"state": "abandoned"}"#, .abandoned, true), ("abandoned", #"{}"#, .abandoned, false),
        ("reading", #"{"isFinished": true}"#, .finished, true),
    ]

    @Test("A patch changes a reading's state", arguments: states)
    func take(_ row: (from: String, patch: String, to: ReadingState, isChange: Bool)) throws {
        let id = try fixture.createReading(book, viewer)
        _ = try fixture.updateReading(id, "{\"state\": \"\(row.from)\"}", viewer)
        _ = fixture.takeChanges()
        let outcome = try fixture.updateReading(id, row.patch, viewer)
        #expect(outcome.effect == (row.isChange ? .updated : nil))
        #expect(fixture.takeChanges().count == (row.isChange ? 1 : 0))
        #expect(try fixture.reads().reading(id)?.state == row.to)
    }

    @Test("Another reader's reading is not found, not even by an administrator")
    func privacy() throws {
        let id = try fixture.createReading(book, viewer)
        let entry = try fixture.record(#"{"progress": 0.5}"#, id, viewer)
        let none = Precondition()
        for stranger in [try fixture.addReader("Grace"), try fixture.administrator] {
            _ = fixture.takeChanges()
            let commands: [ActorCommand] = [
                Command.updateReading(id, try ReadingPatch(json("{}"))).by(stranger, if: none),
                Command.deleteReading(id).by(stranger, if: Precondition(ifMatch: .versions([1]))),
                try fixture.entry(#"{"progress": 0.1}"#, id, stranger),
                Command.deleteEntry(entry.id, of: id).by(stranger, if: none),
            ]
            for command in commands {
                #expect(throws: RequestError.notFound) { try fixture.run(command) }
            }
            #expect(fixture.takeChanges().isEmpty)
        }
    }

    @Test("A deleted reading deletes its entries, with one event")
    func delete() throws {
        let id = try fixture.createReading(book, viewer)
        let entry = try fixture.record(#"{"progress": 0.5}"#, id, viewer)
        _ = fixture.takeChanges()
        try fixture.run(Command.deleteReading(id).by(viewer))
        #expect(fixture.takeChanges().map(\.summary) == ["reading deleted"])
        #expect(try fixture.reads().entry(entry.id) == nil)
    }
}

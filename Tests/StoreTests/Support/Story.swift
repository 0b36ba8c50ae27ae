import JSON
import Model
import SharedByTests
import Store

/// A reproducible sequence of random commands of two readers on a few books.
struct Story {
    let fixture: StoreFixture
    let viewers: [Viewer]
    private var random: SeededGenerator
    private var books: [ResourceID] = []
    private var readings: [(id: ResourceID, viewer: Viewer)] = []
    private var entries: [(id: ResourceID, reading: ResourceID, viewer: Viewer)] = []

    init(seed: UInt64) throws {
        fixture = try StoreFixture()
        viewers = [try fixture.addReader("Ada"), try fixture.addReader("Grace")]
        random = SeededGenerator(seed: seed)
    }

    /// Runs a number of commands, some of which are refused or change nothing.
    mutating func deliver(commands: Int) throws {
        for _ in 0..<commands {
            do { try step() } catch is RequestError {}
        }
    }

    private mutating func step() throws {
        let viewer = viewers[Int.random(in: 0..<2, using: &random)]
        switch Int.random(in: 0..<14, using: &random) {
        case 0: books.append(try fixture.addBook(bookBody()))
        case 1...2: try put(viewer)
        case 3...4: if let book = books.randomElement(using: &random) { _ = try fixture.updateBook(book, bookBody()) }
        case 5: if let book = books.randomElement(using: &random) { try delete(book, viewer) }
        case 6:
            if let book = books.randomElement(using: &random) {
                readings.append((try fixture.createReading(book, viewer), viewer))
            }
        case 7: if let reading = readings.randomElement(using: &random) { try change(reading) }
        case 8:
            if let reading = readings.randomElement(using: &random), Bool.random(using: &random) { try delete(reading) }
        case 9...11: if let reading = readings.randomElement(using: &random) { try record(reading) }
        case 12:
            if let entry = entries.randomElement(using: &random) {
                _ = try fixture.deleteEntry(entry.id, entry.reading, entry.viewer)
            }
        default: try rename(viewer)
        }
    }

    private mutating func bookBody() -> String {
        let title = ["Emma", "Persuasion", "Ulysses", #"\"Q\" \\ \u00e9"#].randomElement(using: &random) ?? ""
        let pages =
            Int.random(in: 0..<3, using: &random) == 0 ? "null" : String(Int.random(in: 1...500, using: &random))
        return
            "{\"title\": \"\(title)\", \"pageCount\": \(pages), \"authors\": [\"A\(Int.random(in: 0..<4, using: &random))\"]}"
    }

    private mutating func put(_ viewer: Viewer) throws {
        let id = ResourceID(high: 42, low: UInt64.random(in: 0..<4, using: &random))
        let isThere = try fixture.reads().book(id) != nil
        let outcome = try fixture.run(
            Command.putBook(id, .whole(bookBody())).by(viewer, if: Precondition(ifMatch: isThere ? .any : nil)))
        if outcome.effect == .created { books.append(id) }
    }

    private mutating func delete(_ book: ResourceID, _ viewer: Viewer) throws {
        try fixture.run(Command.deleteBook(book).by(viewer))
        books.removeAll { $0 == book }
    }

    private mutating func change(_ reading: (id: ResourceID, viewer: Viewer)) throws {
        let state = ReadingState.allCases.randomElement(using: &random) ?? .reading
        _ = try fixture.updateReading(reading.id, "{\"state\": \"\(state.rawValue)\"}", reading.viewer)
    }

    private mutating func delete(_ reading: (id: ResourceID, viewer: Viewer)) throws {
        try fixture.run(Command.deleteReading(reading.id).by(reading.viewer))
        readings.removeAll { $0.id == reading.id }
        entries.removeAll { $0.reading == reading.id }
    }

    private mutating func record(_ reading: (id: ResourceID, viewer: Viewer)) throws {
        let day = Int.random(in: 10...28, using: &random)
        let progress = Int.random(in: 10...99, using: &random)
        let outcome = try fixture.record(
            "{\"progress\": 0.\(progress), \"happenedAt\": \"2026-01-\(day)T10:00:00Z\", \"note\": \"n\\n\(day)\"}",
            reading.id, reading.viewer)
        entries.append((outcome.id, reading.id, reading.viewer))
    }

    private mutating func rename(_ viewer: Viewer) throws {
        let name = ["Ada", "Grace", "Mary"].randomElement(using: &random) ?? ""
        let patch = try ReaderPatch(json("{\"name\": \"\(name)\"}"), form: .patch, roleMayChange: false)
        try fixture.run(
            Command.updateReader(viewer.reader, patch).by(viewer))
    }
}

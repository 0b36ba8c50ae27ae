import JSON
import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

/// Random histories of entries and their notes. An entry must show its own text or its note's, and the events of both
/// must yield the same.
@Suite("Random histories of entries' notes", .serialized)
struct EntryNoteHistoryTests {
    @Test(
        "An entry shows its note's text, and events equal the resources",
        arguments: TestBudget.seeds(2, long: 4))
    func histories(_ seed: UInt64) throws {
        var history = try EntryNoteHistory(seed: seed)
        for _ in 0..<20 {
            for _ in 0..<50 { try history.step() }
            try history.check()
        }
        #expect(history.compared > 200)
        history.fixture.keepsDirectory.store(true, ordering: .relaxed)
        history.fixture.store.close()
        #expect(try Store.check(directory: history.fixture.directory) == [])
        StoreFixture.remove(history.fixture.directory)
    }
}

/// One reader's entries and notes, and their expected state.
private struct EntryNoteHistory {
    /// The text of an entry: its own, or a note.
    enum Said: Equatable {
        case nothing
        case text(String)
        case note(ResourceID)
    }

    let fixture: StoreFixture
    private let reads: ReadConnection
    private let viewer: Viewer
    private let book: ResourceID
    private var random: SeededGenerator
    private var club: ResourceID
    private var reading: ResourceID
    private var entries: [ResourceID: Said] = [:]
    private var notes: [ResourceID: (text: String, club: ResourceID?)] = [:]
    private var received: [ResourceID: [UInt8]] = [:]
    private var cursor: Int64
    private var count = 0
    private(set) var compared = 0

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        fixture = try StoreFixture()
        reads = try fixture.reads()
        viewer = try fixture.addReader("Ada")
        book = try fixture.addBook()
        club = try fixture.addClub(viewer)
        reading = try fixture.createReading(book, viewer)
        cursor = try reads.head()
    }

    mutating func step() throws {
        count += 1
        switch Int.random(in: 0..<20, using: &random) {
        case ..<8: try record()
        case ..<11: try note()
        case ..<14: try edit()
        case ..<16: try deleteNote()
        case ..<18: try undo()
        case 18: if Int.random(in: 0..<8, using: &random) == 0 { try endClub() }
        default: if Int.random(in: 0..<12, using: &random) == 0 { try beginAnew() }
        }
    }

    /// Returns random members of a note, and its resulting text.
    private mutating func words() -> (members: String, text: String) {
        let (body, quote) = ("body \(count)", "quote \(count)")
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return ("\"quote\":\"\(quote)\"", quote)
        case 1: return ("\"body\":\"\(body)\",\"quote\":\"\(quote)\",\"kind\":\"quote\"", body)
        default: return ("\"body\":\"\(body)\"", body)
        }
    }

    private mutating func place() -> (members: String, club: ResourceID?) {
        Bool.random(using: &random) ? (",\"club\":\"\(club)\"", club) : ("", nil)
    }

    private mutating func record() throws {
        let progress = "\"progress\":0.\(Int.random(in: 1...9, using: &random))"
        switch Int.random(in: 0..<3, using: &random) {
        case 0: entries[try fixture.record("{\(progress)}", reading, viewer).id] = .nothing
        case 1:
            let outcome = try fixture.record("{\(progress),\"note\":\"text \(count)\"}", reading, viewer)
            entries[outcome.id] = .text("text \(count)")
        default:
            let (words, place) = (words(), place())
            let outcome = try fixture.record(
                "{\(progress),\"note\":{\(words.members)\(place.members)}}", reading, viewer)
            let id = try #require(try reads.entry(outcome.id)?.noteID)
            entries[outcome.id] = .note(id)
            notes[id] = (words.text, place.club)
        }
    }

    private mutating func note() throws {
        guard
            let (id, given) = entries.sorted(by: { $0.key.description < $1.key.description })
                .randomElement(using: &random)
        else { return }
        let (words, place) = (words(), place())
        let isOfText = Bool.random(using: &random)
        let members = (isOfText ? "" : ",\(words.members)") + place.members
        let draft = try NoteDraft(json("{\"entry\":\"\(id)\"\(members)}"))
        let result = fixture.submit(Command.createNote(draft).by(viewer)).wait()
        switch given {
        case .note: #expect(throws: RequestError.self) { try result.get() }
        case .nothing where isOfText: #expect(throws: RequestError.self) { try result.get() }
        case .nothing: notes[try result.get().id] = (words.text, place.club)
        case .text(let text): notes[try result.get().id] = (isOfText ? text : words.text, place.club)
        }
        if case .success(let outcome) = result { entries[id] = .note(outcome.id) }
    }

    private mutating func someNote() -> ResourceID? {
        notes.keys.sorted { $0.description < $1.description }.randomElement(using: &random)
    }

    private mutating func edit() throws {
        guard let id = someNote() else { return }
        let patch = try NotePatch(json("{\"body\":\"edited \(count)\",\"language\":\"en\"}"))
        try fixture.run(Command.updateNote(id, patch).by(viewer))
        notes[id]?.text = "edited \(count)"
    }

    private mutating func deleteNote() throws {
        guard let id = someNote() else { return }
        try fixture.run(Command.deleteNote(id).by(viewer))
        forget { $0 == id }
    }

    private mutating func undo() throws {
        guard
            let (id, given) = entries.sorted(by: { $0.key.description < $1.key.description })
                .randomElement(using: &random)
        else { return }
        let isKept = Bool.random(using: &random)
        try fixture.run(Command.deleteEntry(id, of: reading, keepingNote: isKept).by(viewer))
        entries[id] = nil
        if case .note(let note) = given, !isKept { notes[note] = nil }
    }

    private mutating func endClub() throws {
        try fixture.run(Command.deleteClub(club).by(viewer))
        let gone = Set(notes.filter { $0.value.club == club }.keys)
        forget { gone.contains($0) }
        club = try fixture.addClub(viewer)
    }

    private mutating func beginAnew() throws {
        try fixture.run(Command.deleteReading(reading).by(viewer))
        for id in entries.keys { received[id] = nil }
        entries = [:]
        reading = try fixture.createReading(book, viewer)
    }

    private mutating func forget(_ isGone: (ResourceID) -> Bool) {
        for id in notes.keys where isGone(id) {
            notes[id] = nil
            received[id] = nil
        }
        for (id, given) in entries { if case .note(let note) = given, isGone(note) { entries[id] = .nothing } }
    }

    mutating func check() throws {
        while true {
            let page = try reads.changes(after: cursor, seenBy: viewer.readerKey, limit: 1000)
            for change in page.changes where [.entry, .note].contains(change.kind) {
                received[change.id] = change.value
            }
            cursor = page.through
            if page.isEnd { break }
        }
        for (id, given) in entries {
            let entry = try reads.entry(id)
            let text: String? =
                switch given {
                case .nothing: nil
                case .text(let text): text
                case .note(let note): notes[note]?.text
                }
            #expect(entry?.note == text, "the entry shows something else than was said")
            var noteID: ResourceID?
            if case .note(let id) = given { noteID = id }
            #expect(entry?.noteID == noteID)
            #expect(entry?.encoded() == received[id], "the entry was told as something else than there is")
            compared += 1
        }
        let got = try reads.notes(of: nil, seenBy: viewer.readerKey, NoteFilter(), after: nil, limit: 10_000).items
        #expect(Set(got.map(\.id)) == Set(notes.keys))
        for note in got {
            #expect(note.text == notes[note.id]?.text)
            #expect(note.encoded() == received[note.id], "the note was told as something else than there is")
        }
    }
}

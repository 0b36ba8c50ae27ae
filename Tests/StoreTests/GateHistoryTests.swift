import Foundation
import JSON
import Model
import SharedByTests
import Testing

@testable import Store

/// Random histories of a club whose members read in several editions, of which more and more becomes known: who sees what is what
/// the rules say, and what is told comes to the same. `LECTERN_TESTS=long` goes 20,000 steps.
@Suite("Histories of the gate", .serialized)
struct GateHistoryTests {
    @Test(
        "who sees which notes is what the rules say, and what is told gives what can be got",
        arguments: TestBudget.seeds(2, long: 8))
    func histories(_ seed: UInt64) throws {
        var house = try GateHouse(seed: seed)
        for _ in 0..<TestBudget.of(20, long: 50) {
            for _ in 0..<50 { try house.step() }
            try house.check()
        }
        #expect(house.isWhole)
    }
}

/// The club, its book, and what the rules know of them.
struct GateHouse {
    struct Entry {
        let id: ResourceID
        let spot: StoryRules.Spot
    }

    struct Note {
        let author: Int
        var opening: StoryRules.Opening
    }

    static let readers = 4
    let shop: Shop
    let reads: ReadConnection
    var random: SeededGenerator
    var rules = StoryRules()
    let book: ResourceID
    var editions: [ResourceID] = []
    let club: ResourceID
    var viewers: [Viewer] = []
    var readings: [ResourceID] = []
    /// In which edition each reads.
    var edition = [Int?](repeating: nil, count: readers)
    var entries = [[Entry]](repeating: [], count: readers)
    var isFinished = [Bool](repeating: false, count: readers)
    /// What each said that they know.
    var knowledge = [StoryRules.Spot?](repeating: nil, count: readers)
    /// Whether notes open no earlier than at what their author knows.
    var isHindsightKnown = false
    var isMember = [Bool](repeating: true, count: readers)
    var notes: [ResourceID: Note] = [:]
    /// What each reply answers.
    var answered: [ResourceID: ResourceID] = [:]
    /// How far each has been, wherever, while a note was there.
    var peaks = [[ResourceID: [StoryRules.Frame: Int]]](repeating: [:], count: readers)
    /// What each has by what they were told.
    var told = [[ResourceID: [UInt8]]](repeating: [:], count: readers)
    var cursors = [Int64](repeating: 0, count: readers)
    /// How often something was seen, hidden, and refused.
    var seen = 0
    var hidden = 0
    /// How many notes opened later for what their author knew.
    var withheld = 0

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        shop = try Shop()
        reads = try shop.reads()
        book = try shop.addBook()
        for edition in StoryRules.editions {
            let id = ResourceID(madeAt: .now)
            let body = """
                {"format":"\(edition.format)","length":\(edition.length / 1000),"storyStart":\(edition.start / 1000),\
                "storyEnd":\(edition.end / 1000)}
                """
            let patch = try EditionPatch(json(body), form: .whole)
            try shop.run(Command.createEdition(of: book, patch).by(shop.administrator, id: id))
            editions.append(id)
        }
        for reader in 0..<Self.readers { viewers.append(try shop.addReader("Reader \(reader)")) }
        club = try shop.addClub(viewers[0])
        let draft = try InvitationDraft(json(#"{"usesMax": 1000}"#), now: .now)
        try shop.run(Command.createInvitation(to: club, draft, code: "come").by(viewers[0]))
        for reader in 0..<Self.readers {
            readings.append(try shop.startReading(book, viewers[reader]))
            if reader > 0 { try shop.run(Command.joinClub(code: "come").by(viewers[reader])) }
            cursors[reader] = try reads.head()
        }
    }

    /// Whether all that is to be compared came to be.
    var isWhole: Bool { seen > 500 && hidden > 50 && withheld > 2 && !rules.begins.isEmpty }

    // MARK: The rules

    func reached(_ reader: Int) -> [StoryRules.Frame: Int] {
        guard isMember[reader] else { return [:] }
        var reached: [StoryRules.Frame: Int] = [:]
        for entry in entries[reader] {
            reached.merge(entry.spot.reached) { max($0, $1) }
        }
        if let spot = knowledge[reader] { reached.merge(spot.reached) { max($0, $1) } }
        if isFinished[reader] { reached[.unsaid] = StoryRules.whole }
        return reached
    }

    func sees(_ reader: Int, _ id: ResourceID, _ note: Note) -> Bool {
        note.author == reader
            || isMember[reader] && StoryRules.isOpen(note.opening, to: peaks[reader][id] ?? [:])
    }

    mutating func look() {
        for reader in 0..<Self.readers {
            let reached = reached(reader)
            for id in notes.keys { peaks[reader][id, default: [:]].merge(reached) { max($0, $1) } }
        }
    }

    // MARK: Comparing

    mutating func check() throws {
        for reader in 0..<Self.readers {
            try hear(reader)
            guard isMember[reader] else { continue }
            let got = try list(reader)
            let expected = Set(notes.filter { sees(reader, $0.key, $0.value) }.keys)
            for id in expected.symmetricDifference(got.keys) {
                Issue.record(
                    """
                    reader \(reader) \(got[id] == nil ? "does not get" : "gets") \(notes[id].map { "\($0.opening)" } ?? ""), \
                    and has been at \(peaks[reader][id] ?? [:])
                    """)
            }
            #expect(got == told[reader], "reader \(reader) was told something else than there is")
            let knowsAll = knowledge[reader]?.share == StoryRules.whole
            if isFinished[reader] || knowsAll { #expect(expected.count == notes.count) }
            seen += expected.count
            hidden += notes.count - expected.count
        }
    }

    func list(_ reader: Int) throws -> [ResourceID: [UInt8]] {
        guard let (club, _) = try reads.club(club, of: viewers[reader].readerKey) else { return [:] }
        let page = try reads.notes(
            of: club.key, seenBy: viewers[reader].readerKey, NoteFilter(), after: nil, limit: 100_000)
        return Dictionary(uniqueKeysWithValues: page.items.map { ($0.id, $0.encoded()) })
    }

    /// Applies what was told since the last time.
    mutating func hear(_ reader: Int) throws {
        while true {
            let page = try reads.changes(after: cursors[reader], seenBy: viewers[reader].readerKey, limit: 1000)
            for change in page.changes where change.kind == .note { told[reader][change.id] = change.value }
            cursors[reader] = page.through
            if page.isEnd { return }
        }
    }
}

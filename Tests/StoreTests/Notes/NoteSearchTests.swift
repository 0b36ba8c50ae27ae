import JSON
import Model
import SharedByTests
import Testing

@testable import Store

@Suite("Searches in notes")
struct NoteSearchTests {
    /// Returns a connection whose pages end only at their limit, or at once.
    private func reads(_ fixture: StoreFixture, isHurried: Bool = false) throws -> ReadConnection {
        try ReadConnection(
            path: fixture.directory + "/lectern.sqlite", pageMicrosecondsMax: isHurried ? 0 : 600_000_000)
    }

    /// Creates Ada's club with Ben.
    private func club(_ fixture: StoreFixture, _ ada: Viewer, _ ben: Viewer) throws -> ResourceID {
        let club = try fixture.addClub(ada)
        let draft = try InvitationDraft(json("{}"), now: .now)
        try fixture.run(Command.createInvitation(to: club, draft, code: "come").by(ada))
        try fixture.run(Command.createMembership(code: "come").by(ben))
        return club
    }

    private func write(_ body: String, _ fields: [(StaticString, String)], _ viewer: Viewer, in fixture: StoreFixture)
        throws
    {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in fields + [("threshold", "everyone"), ("body", body)] {
            writer.name(name)
            writer.string(value)
        }
        writer.endObject()
        try fixture.run(Command.createNote(try NoteDraft(JSONDocument(writer.bytes).root)).by(viewer))
    }

    /// Returns all notes of a list, page by page.
    private func all(
        _ reads: ReadConnection, _ club: Int64?, _ reader: Viewer, _ query: SearchQuery, bestFirst: Bool, limit: Int
    ) throws -> [Note] {
        var (filter, notes, next) = (NoteFilter(), [Note](), String?.none)
        filter.search = query
        repeat {
            let page = try reads.notes(
                of: club, seenBy: reader.readerKey, filter, bestFirst: bestFirst, after: next, limit: limit)
            #expect(page.items.count <= limit)
            notes += page.items
            next = page.next
        } while next != nil
        return notes
    }

    static let ranges: [ClosedRange<UInt32>] = [
        0x20...0x7E, 0xA0...0x24F, 0x300...0x36F, 0x370...0x6FF, 0x900...0xDFF, 0xE00...0x10FF, 0x1100...0x11FF,
        0x1E00...0x2027, 0x202F...0x2060, 0x2100...0x24FF, 0x3040...0x33FF, 0x4E00...0x4E0F, 0xAC00...0xD7A3,
        0xF900...0xFFDC, 0x1D400...0x1F9FF,
    ]

    private func text(_ random: inout SeededGenerator, _ count: ClosedRange<Int>) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: count, using: &random) {
            let value = UInt32.random(in: Self.ranges.randomElement(using: &random) ?? 0x20...0x7E, using: &random)
            if let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .control {
                text.append(Int.random(in: 0..<5, using: &random) == 0 ? " " : scalar)
            }
        }
        return String(text)
    }

    @Test(
        "The index and the streams' comparison find the same notes in the same order",
        arguments: TestBudget.seeds(1, long: 3))
    func anyCharacters(_ seed: UInt64) throws {
        let fixture = try StoreFixture()
        var random = SeededGenerator(seed: seed)
        let (ada, ben) = (try fixture.addReader("Ada"), try fixture.addReader("Ben"))
        let (club, book) = (try club(fixture, ada, ben), try fixture.addBook())
        for index in 0..<120 {
            let place: [(StaticString, String)] = index % 3 == 0 ? [] : [("club", "\(club)")]
            let body = ["x", "雪国", "雪の国", "rope", "กะทิ", "가방"][index % 6] + text(&random, 1...30)
            let quote: [(StaticString, String)] = index % 5 < 2 ? [("quote", "q" + text(&random, 1...30))] : []
            try write(body, [("book", "\(book)")] + place + quote, index % 4 == 0 ? ben : ada, in: fixture)
        }
        let reads = try reads(fixture)
        let key = try #require(try reads.club(club, of: ada.readerKey)?.club.key)
        for place in [key, nil] {
            let notes = try reads.notes(
                of: place, seenBy: ada.readerKey, NoteFilter(), after: nil, limit: 1000
            ).items
            #expect(notes.count > 60)
            let asked = try (0..<60).map { _ in
                let note = try #require(notes.randomElement(using: &random))
                let scalars = Array((note.quote ?? note.body).unicodeScalars)
                let start = Int.random(in: 0..<scalars.count, using: &random)
                let end = Int.random(in: start...min(start + 8, scalars.count), using: &random)
                var asked = String.UnicodeScalarView()
                asked.append(contentsOf: scalars[start..<end])
                return String(asked)
            }
            for text in asked + ["雪", "雪国", "国", "の", "ro", "rope", "กะ", "ทิ", "가", "방", "zebra"] {
                guard let query = SearchQuery(text) else { continue }
                let found = notes.filter { query.matches(SearchedWords(body: $0.body, quote: $0.quote)) }
                let relevance = BookRelevance(query)
                let best = found.map { (id: $0.id, score: relevance.score(ofText: $0.searched), key: $0.key) }
                    .sorted { $0.score != $1.score ? $0.score > $1.score : $0.key > $1.key }
                let ids = try all(reads, place, ada, query, bestFirst: false, limit: 7).map(\.id)
                #expect(ids == found.map(\.id), "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
                for limit in [3, 100] {
                    let ids = try all(reads, place, ada, query, bestFirst: true, limit: limit).map(\.id)
                    #expect(ids == best.map(\.id), "\(text)")
                }
            }
        }
    }

    @Test("Whole words come before beginnings, then more matches, then newer notes")
    func order() throws {
        let fixture = try StoreFixture()
        let ada = try fixture.addReader("Ada")
        let book = try fixture.addBook()
        let bodies = ["ropes and boats", "a rope", "rope, rope and rope", "the rope snaps", "ropemaker"]
        for body in bodies { try write(body, [("book", "\(book)")], ada, in: fixture) }
        let query = try #require(SearchQuery("rope"))
        let found = try all(try reads(fixture), nil, ada, query, bestFirst: true, limit: 9)
        #expect(found.map(\.body) == [bodies[2], bodies[3], bodies[1], bodies[0], bodies[4]])
    }

    @Test("Fewer long notes are examined for a page, and each is returned once")
    func long() throws {
        let fixture = try StoreFixture()
        let ada = try fixture.addReader("Ada")
        let book = try fixture.addBook()
        let bodies = (0..<60).map { "rope \($0)" + String(repeating: " word", count: 1900) }
        for body in bodies { try write(body, [("book", "\(book)")], ada, in: fixture) }
        let hurried = try reads(fixture, isHurried: true)
        var filter = NoteFilter()
        filter.search = SearchQuery("rope")
        let first = try hurried.notes(of: nil, seenBy: ada.readerKey, filter, bestFirst: true, after: nil, limit: 100)
        #expect(first.items.count < 40 && first.next != nil)
        let query = try #require(filter.search)
        let found = try all(hurried, nil, ada, query, bestFirst: true, limit: 100)
        #expect(found.map(\.body).sorted() == bodies.sorted())
    }

    @Test("The end of a page does not reveal locked notes")
    func ahead() throws {
        let fixture = try StoreFixture()
        let (ada, ben) = (try fixture.addReader("Ada"), try fixture.addReader("Ben"))
        let (club, book) = (try club(fixture, ada, ben), try fixture.addBook())
        let place: [(StaticString, String)] = [("book", "\(book)"), ("club", "\(club)")]
        try write("the first rope", place, ada, in: fixture)
        for index in 0..<300 {
            let draft = try NoteDraft(
                json(
                    "{\"book\":\"\(book)\",\"club\":\"\(club)\",\"position\":{\"progress\":0.5},\"body\":\"rope \(index)\"}"
                ))
            try fixture.run(Command.createNote(draft).by(ada))
        }
        try write("the last rope", place, ada, in: fixture)
        let reads = try reads(fixture)
        let key = try #require(try reads.club(club, of: ben.readerKey)?.club.key)
        let query = try #require(SearchQuery("rop"))
        var filter = NoteFilter()
        filter.search = query
        for bestFirst in [true, false] {
            #expect(try all(reads, key, ada, query, bestFirst: bestFirst, limit: 100).count == 302)
            let page = try reads.notes(
                of: key, seenBy: ben.readerKey, filter, bestFirst: bestFirst, after: nil, limit: 9)
            #expect(page.items.map(\.body) == ["the last rope", "the first rope"] && page.next == nil)
            filter.search = SearchQuery("299")
            let none = try self.reads(fixture, isHurried: true).notes(
                of: key, seenBy: ben.readerKey, filter, bestFirst: bestFirst, after: nil, limit: 9)
            #expect(none.items.isEmpty && none.next == nil)
            filter.search = query
        }
    }

    @Test("A search reads the index in the order of its results, without sorting")
    func plans() throws {
        let fixture = try StoreFixture()
        var filter = NoteFilter()
        filter.search = SearchQuery("rope")
        for bits in 0..<16 {
            filter.book = bits & 1 != 0 ? .zero : nil
            filter.thread = bits & 2 != 0 ? .zero : nil
            let sql = NoteQueryShape(filter, isOfClub: bits & 4 != 0, isWindow: bits & 8 != 0).sql
            let plan = try fixture.reads().query { db throws(SQLiteError) in
                try db.statement(once: "EXPLAIN QUERY PLAN " + sql).all { $0.text(3) }
            }
            let rows = plan.filter { $0.hasPrefix("SCAN") || $0.hasPrefix("SEARCH notes ") }
            let byKey = "SEARCH notes USING INTEGER PRIMARY KEY (rowid=?)"
            // A page finds the notes at which it looks, and then those among them that are visible.
            #expect(rows.first?.hasPrefix("SCAN notes_words VIRTUAL TABLE") == true, "\(plan)")
            #expect(rows.dropFirst() == ["SCAN looked", byKey], "\(plan)")
            #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
        }
    }
}

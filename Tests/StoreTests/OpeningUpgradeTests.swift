import CSQLite
import Foundation
import JSON
import Model
import SharedByTests
import Synchronization
import Testing

@testable import Store

/// Two clubs of before notes said where they open.
@Suite("Upgrades of clubs", .ownThreads)
struct OpeningUpgradeTests {
    /// Before the step that adds openings.
    private static let version = 22

    @Test(
        "Who saw which notes sees these and no others, no cursor is lost, and what is kept is sound, now and after more",
        arguments: TestBudget.seeds(2, long: 4))
    func clubs(_ seed: UInt64) throws {
        var clubs = try OldClubs(seed: seed)
        for _ in 0..<250 { try clubs.step() }
        let (directory, head) = try clubs.left(as: Self.version)
        defer { Shop.remove(directory) }
        let seen = try clubs.seen()
        let told = try BackupTests.log(directory + "/lectern.sqlite", upTo: head)
        #expect(seen.values.contains { $0.count > 5 } && Set(seen.values.map(\.count)).count > 2)
        let shop = try Shop(in: directory)
        shop.keepsDirectory.store(true, ordering: .relaxed)
        #expect(shop.store.epochReason == nil)
        #expect(try BackupTests.log(directory + "/lectern.sqlite", upTo: head) == told)
        let reads = try shop.reads()
        for (place, notes) in seen {
            let got = try reads.notes(
                of: place.club, seenBy: place.reader, NoteFilter(), after: nil, limit: 1000)
            #expect(got.items.map(\.key).sorted() == notes, "\(place)")
            #expect(got.items.allSatisfy { $0.opening.way == nil })
        }
        shop.store.close()
        #expect(try Store.check(directory: directory) == [])
        try clubs.goOn(in: directory)
        #expect(try Store.check(directory: directory) == [])
    }
}

/// What members of two clubs do, and how far each had come by the rule of then: what named an edition counted, rounded, as all else.
private struct OldClubs {
    struct Place: Hashable {
        let club: Int64
        let reader: Int64
    }

    private struct Step {
        let reader: Int64
        let book: Int64
        let since: Int64
        let progress: Int64
    }

    private var shop: Shop
    private var random: SeededGenerator
    private var viewers: [Viewer] = []
    private var books: [ResourceID] = []
    private var editions: [[ResourceID]] = []
    private var clubs: [ResourceID] = []
    private var readings: [[ResourceID]] = []
    private var entries: [(id: ResourceID, reading: ResourceID, reader: Int)] = []
    private var notes: [(id: ResourceID, author: Int)] = []
    private var steps: [Step] = []
    private var database: String { shop.directory + "/lectern.sqlite" }

    init(seed: UInt64) throws {
        (shop, random) = (try Shop(), SeededGenerator(seed: seed))
        for number in 0..<5 { viewers.append(try shop.addReader("Reader \(number)")) }
        for number in 0..<2 {
            let book = try shop.addBook()
            books.append(book)
            if number == 0 {
                let chapters = try ChaptersDraft(json(#"{"chapters":[{},{"share":0.3},{"share":0.6},{"share":0.8}]}"#))
                try shop.run(Command.putChapters(of: book, chapters).by(shop.administrator))
            }
            editions.append([])
            for _ in 0..<2 {
                let id = ResourceID(madeAt: .now)
                let patch = try EditionPatch(json(#"{"format":"paper","length":400}"#), form: .whole)
                try shop.run(Command.createEdition(of: book, patch).by(shop.administrator, id: id))
                editions[number].append(id)
            }
            let patch = try ClubPatch(json("{\"name\":\"C\",\"moderatorsSeeAhead\":\(number == 1)}"), form: .whole)
            let club = ResourceID(madeAt: .now)
            try shop.run(Command.createClub(patch).by(viewers[number], id: club))
            clubs.append(club)
            let draft = try InvitationDraft(json(#"{"usesMax":100}"#), now: .now)
            try shop.run(Command.createInvitation(to: club, draft, code: "come\(number)").by(viewers[number]))
            for reader in viewers.indices where reader != number && reader != 4 - number {
                try shop.run(Command.joinClub(code: "come\(number)").by(viewers[reader]))
            }
        }
        let anchors = try AnchorsDraft(json(#"{"begins":[1,110,250,300]}"#))
        try shop.run(Command.putAnchors(of: editions[0][0], anchors).by(shop.administrator))
        for viewer in viewers { readings.append(try books.map { try shop.startReading($0, viewer) }) }
    }

    mutating func step() throws {
        let (reader, book) = (Int.random(in: 0..<5, using: &random), Int.random(in: 0..<2, using: &random))
        let hundredths = Int.random(in: 0...100, using: &random)
        let (viewer, reading) = (viewers[reader], readings[reader][book])
        switch Int.random(in: 0..<40, using: &random) {
        case 0...14:
            guard try shop.reads().reading(reading)?.isFinished == false else { return }
            let edition = editions[book].randomElement(using: &random) ?? .zero
            let place = "\"at\":{\"page\":\(hundredths * 4),\"edition\":\"\(edition)\"}"
            let short = "\"progress\":\(Double(hundredths) / 100)"
            let entry = try shop.record("{\(Bool.random(using: &random) ? place : short)}", reading, viewer)
            entries.append((entry.id, reading, reader))
        case 15...19:
            guard let place = entries.indices.randomElement(using: &random) else { return }
            let entry = entries.remove(at: place)
            _ = try shop.deleteEntry(entry.id, entry.reading, viewers[entry.reader])
        case 20:
            let isFinished = try shop.reads().reading(reading)?.isFinished ?? false
            _ = try shop.patchReading(reading, "{\"isFinished\":\(!isFinished)}", viewer)
        case 21...24: try deleteNote()
        default: try write(reader, book, hundredths)
        }
        try noteSteps()
    }

    private mutating func write(_ reader: Int, _ book: Int, _ hundredths: Int) throws {
        let club = Int.random(in: 0..<2, using: &random)
        guard reader != 4 - club else { return }
        let place = Int.random(in: 0..<5, using: &random) == 0 ? "" : ",\"progress\":\(Double(hundredths) / 100)"
        let body = "{\"book\":\"\(books[book])\",\"club\":\"\(clubs[club])\",\"body\":\"b\"\(place)}"
        let id = ResourceID(madeAt: .now)
        try shop.run(Command.writeNote(NoteDraft(json(body))).by(viewers[reader], id: id))
        notes.append((id, reader))
    }

    private mutating func deleteNote() throws {
        guard let place = notes.indices.randomElement(using: &random) else { return }
        let note = notes.remove(at: place)
        try shop.run(Command.deleteNote(note.id).by(viewers[note.author]))
    }

    /// Where readers have come to be elsewhere.
    private mutating func noteSteps() throws {
        let rows = try BackupTests.rows(
            database,
            """
            SELECT readings.reader || ' ' || readings.book || ' ' || max(ifnull((
                SELECT max(ifnull(floor, progress)) FROM entries WHERE reading = readings.key), 0),
                CASE WHEN state = 'finished' THEN 1000000 ELSE 0 END) || ' ' || (SELECT max(seq) FROM changes)
            FROM readings
            """)
        for row in rows {
            let numbers = row.split(separator: " ").compactMap { Int64($0) }
            let last = steps.last { $0.reader == numbers[0] && $0.book == numbers[1] }
            guard numbers[2] != last?.progress ?? 0 else { continue }
            steps.append(Step(reader: numbers[0], book: numbers[1], since: numbers[3] + 1, progress: numbers[2]))
        }
    }

    /// The directory as the program of a schema left it, and the head of its log.
    func left(as version: Int) throws -> (directory: String, head: Int64) {
        let head = try shop.reads().head()
        shop.keepsDirectory.store(true, ordering: .relaxed)
        shop.store.close()
        let old = OldSchema(database)
        try old.turn(to: version)
        var kept: [String] = []
        for (index, step) in steps.enumerated() {
            let next = steps[(index + 1)...].first { $0.reader == step.reader && $0.book == step.book }
            kept.append(
                "(\(step.reader), \(step.book), \(step.since), \(next?.since ?? .max), \(step.progress))")
        }
        try old.execute(
            """
            DELETE FROM reach WHERE place > 0; INSERT INTO reach VALUES \(kept.joined(separator: ","))
            """)
        return (shop.directory, head)
    }

    /// The notes that members see, by the rule of then.
    func seen() throws -> [Place: [Int64]] {
        var seen: [Place: [Int64]] = [:]
        for member in try BackupTests.rows(database, "SELECT club || ' ' || reader FROM members") {
            let numbers = member.split(separator: " ").compactMap { Int64($0) }
            let place = Place(club: numbers[0], reader: numbers[1])
            seen[place] = try BackupTests.rows(
                database,
                """
                SELECT key FROM notes WHERE club = \(place.club) AND body IS NOT NULL AND (author = \(place.reader)
                    OR ifnull(position, 0) = 0 OR EXISTS (SELECT 1 FROM reach WHERE reader = \(place.reader)
                        AND place IN (notes.book, -notes.club) AND progress >= position AND until > notes.key))
                ORDER BY key
                """
            ).compactMap { Int64($0) }
        }
        return seen
    }

    /// The same readers do more of it.
    mutating func goOn(in directory: String) throws {
        shop = try Shop(in: directory)
        shop.keepsDirectory.store(true, ordering: .relaxed)
        for _ in 0..<100 { try step() }
        shop.store.close()
    }
}

import Foundation
import JSON
import Model
import SharedByTests
import Testing

@testable import Store

/// What is held true of an edition's chapters becomes another: nobody sees a note before they have read so far.
@Suite("Corrected anchors")
struct CorrectedAnchorsTests {
    /// A club that reads a book of 400 pages in two editions, of which one is paper, and the other is a recording of 40,000 seconds.
    final class House {
        let shop: Shop
        let book: ResourceID
        let (paper, audio) = (ResourceID(madeAt: .now), ResourceID(madeAt: .now))
        let club: ResourceID
        let (ada, ben): (Viewer, Viewer)
        var readings: [ResourceID: ResourceID] = [:]

        init(chapters: [Double] = [0, 0.25, 0.5, 0.75]) throws {
            shop = try Shop()
            (ada, ben) = (try shop.addReader("Ada"), try shop.addReader("Ben"))
            book = try shop.addBook()
            for (id, form) in [(paper, #""paper","length":400"#), (audio, #""audio","length":40000"#)] {
                let patch = try EditionPatch(json("{\"format\":\(form)}"), form: .whole)
                try shop.run(Command.createEdition(of: book, patch).by(shop.administrator, id: id))
            }
            club = try shop.addClub(ada)
            let draft = try InvitationDraft(json(#"{"usesMax":9}"#), now: .now)
            try shop.run(Command.createInvitation(to: club, draft, code: "come").by(ada))
            try shop.run(Command.joinClub(code: "come").by(ben))
            for viewer in [ada, ben] { readings[viewer.reader] = try shop.startReading(book, viewer) }
            if !chapters.isEmpty { try part(chapters) }
        }

        func part(_ chapters: [Double]) throws {
            let shares = chapters.map { "{\"share\":\($0)}" }.joined(separator: ",")
            let draft = try ChaptersDraft(json("{\"chapters\":[\(shares)]}"))
            try shop.run(Command.putChapters(of: book, draft).by(shop.administrator))
        }

        func anchor(_ edition: ResourceID, _ begins: [Int]) throws {
            let draft = try AnchorsDraft(json("{\"begins\":\(begins)}"))
            try shop.run(Command.putAnchors(of: edition, draft).by(shop.administrator))
        }

        func at(_ place: String, _ edition: ResourceID) -> String { "\"at\":{\(place),\"edition\":\"\(edition)\"}" }

        /// A note by Ada.
        @discardableResult
        func write(_ place: String) throws -> ResourceID {
            let id = ResourceID(madeAt: .now)
            let body = try json("{\"book\":\"\(book)\",\"club\":\"\(club)\",\"body\":\"b\",\(place)}")
            try shop.run(Command.writeNote(NoteDraft(body)).by(ada, id: id))
            return id
        }

        /// Whether Ben sees a note when he has come there.
        func sees(_ note: ResourceID, reading place: String) throws -> Bool {
            _ = try shop.record("{\(place)}", readings[ben.reader] ?? .zero, ben)
            return try shop.reads().note(note, seenBy: ben.readerKey) != nil
        }
    }

    private static let (early, late) = ([0, 50, 100, 140], [0, 200, 300, 350])

    @Test(
        "Within an edition pages are compared, whichever way its anchors were corrected in between, or were said first")
    func withinEdition() throws {
        for (before, after) in [(Self.late, Self.early), (Self.early, Self.late), ([], Self.early), ([], Self.late)] {
            let house = try House()
            if !before.isEmpty { try house.anchor(house.paper, before) }
            let note = try house.write(house.at("\"page\":150", house.paper))
            try house.anchor(house.paper, after)
            for page in [60, 110, 149] {
                let isSeen = try house.sees(note, reading: house.at("\"page\":\(page)", house.paper))
                #expect(!isSeen, "\(before) \(after) \(page)")
            }
            #expect(try house.sees(note, reading: house.at("\"page\":150", house.paper)))
        }
    }

    @Test("The other way round, too: who came so far before, sees no note of later pages that is written since")
    func after() throws {
        for (before, after) in [(Self.late, Self.early), (Self.early, Self.late), ([], Self.late)] {
            let house = try House()
            if !before.isEmpty { try house.anchor(house.paper, before) }
            _ = try house.sees(
                try house.write("\"opens\":\"finished\""), reading: house.at("\"page\":149", house.paper))
            try house.anchor(house.paper, after)
            let (next, same) = (
                try house.write(house.at("\"page\":150", house.paper)),
                try house.write(house.at("\"page\":149", house.paper))
            )
            #expect(try house.shop.reads().note(next, seenBy: house.ben.readerKey) == nil)
            #expect(try house.shop.reads().note(same, seenBy: house.ben.readerKey) != nil)
        }
    }

    @Test(
        "Across editions it is exact while nobody corrects anything, and then by what opens latest of all that was held true"
    )
    func across() throws {
        let house = try House()
        try house.anchor(house.paper, [0, 100, 200, 300])
        try house.anchor(house.audio, [0, 10_000, 20_000, 30_000])
        let exact = try house.write(house.at("\"page\":150", house.paper))
        #expect(try !house.sees(exact, reading: house.at("\"seconds\":14999.999", house.audio)))
        #expect(try house.sees(exact, reading: house.at("\"seconds\":15000", house.audio)))
        try house.anchor(house.paper, [0, 50, 100, 140])
        // By one of them page 160 is at 0.4, by the other at 0.77.
        let note = try house.write(house.at("\"page\":160", house.paper))
        #expect(try !house.sees(note, reading: house.at("\"seconds\":30600", house.audio)))
        #expect(try house.sees(note, reading: house.at("\"seconds\":30800", house.audio)))
    }

    @Test("Who reads an edition whose anchors were corrected in use is where they are by what gives least")
    func reading() throws {
        let house = try House()
        try house.anchor(house.paper, [0, 100, 200, 300])
        try house.anchor(house.audio, [0, 10_000, 20_000, 30_000])
        _ = try house.write(house.at("\"page\":10", house.paper))
        try house.anchor(house.paper, Self.early)
        let note = try house.write(house.at("\"seconds\":20000", house.audio))
        #expect(try !house.sees(note, reading: house.at("\"page\":199", house.paper)))
        #expect(try house.sees(note, reading: house.at("\"page\":200", house.paper)))
    }

    @Test(
        "A note of an entry whose edition has no anchors any more opens by what was held true before, and not by the least of it"
    )
    func entry() throws {
        let house = try House()
        try house.anchor(house.paper, Self.late)
        try house.write(house.at("\"page\":10", house.paper))
        try house.anchor(house.paper, Self.early)
        // By one of them page 100 is at 0.125, by the other at 0.5.
        let said = "{\(house.at("\"page\":100", house.paper)),\"note\":\"text\"}"
        let reading = house.readings[house.ada.reader] ?? .zero
        let entry = try house.shop.record(said, reading, house.ada).id
        try house.part([0, 0.25, 0.5, 0.75, 0.9])
        let draft = try EntryNoteDraft(json("{\"club\":\"\(house.club)\"}"))
        let note = ResourceID(madeAt: .now)
        try house.shop.run(Command.noteEntry(entry, of: reading, draft).by(house.ada, id: note))
        #expect(try !house.sees(note, reading: "\"at\":{\"chapter\":2,\"fraction\":0.2}"))
        #expect(try house.sees(note, reading: "\"at\":{\"chapter\":4,\"fraction\":0.1}"))
    }

    @Test("A note in the last chapter that is to open when the book is finished does, also in its edition")
    func finished() throws {
        let house = try House()
        try house.anchor(house.paper, [0, 100, 200, 300])
        let note = try house.write(house.at("\"page\":320", house.paper))
        try house.shop.run(Command.patchNote(note, NotePatch(json(#"{"opens":"finished"}"#))).by(house.ada))
        #expect(try !house.sees(note, reading: house.at("\"page\":320", house.paper)))
        #expect(try house.shop.reads().note(note, seenBy: house.ada.readerKey)?.opening.way == .finished)
        #expect(try house.sees(note, reading: house.at("\"page\":400", house.paper)))
    }

    @Test("What was said by a chapter is compared by chapters, wherever these are held to begin")
    func chapters() throws {
        let house = try House()
        try house.anchor(house.paper, Self.early)
        let note = try house.write(house.at("\"chapter\":3,\"fraction\":0", house.paper))
        try house.anchor(house.paper, Self.late)
        #expect(try !house.sees(note, reading: house.at("\"page\":150", house.paper)))
        #expect(try house.sees(note, reading: house.at("\"page\":300", house.paper)))
        let late = try house.write(house.at("\"page\":310", house.paper))
        #expect(try !house.sees(late, reading: house.at("\"chapter\":3,\"fraction\":0.1", house.paper)))
    }

    @Test("Chapters that come between others, which ends the anchors, and another edition's show no note early")
    func refined() throws {
        let house = try House()
        try house.anchor(house.paper, Self.early)
        let note = try house.write(house.at("\"page\":150", house.paper))
        try house.part([0, 0.1, 0.25, 0.5, 0.75])
        try house.anchor(house.audio, [0, 100, 200, 300, 400])
        #expect(try !house.sees(note, reading: house.at("\"page\":149", house.paper)))
        #expect(try house.sees(note, reading: house.at("\"page\":150", house.paper)))
    }

    @Test("What was held true of an edition is one row, and a house with corrected anchors is sound")
    func sound() throws {
        let house = try House()
        try house.anchor(house.paper, Self.late)
        let note = try house.write(house.at("\"page\":150", house.paper))
        try house.anchor(house.paper, Self.early)
        #expect(try !house.sees(note, reading: house.at("\"page\":149", house.paper)))
        let rows = "SELECT hex(editions.id) || believed FROM measures JOIN editions ON editions.key = edition"
        let held = try BackupTests.rows(house.shop.directory + "/lectern.sqlite", rows)
        #expect(held.count == 1)
        house.shop.store.close()
        #expect(try Store.check(directory: house.shop.directory) == [])
    }
}

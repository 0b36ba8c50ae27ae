import Foundation
import JSON
import Model
import ObservableModels
import SharedByTests
import Store
import Testing

@testable import API

/// Comparisons of streams and pages for searches and threads in notes, which must reveal nothing about locked notes.
@Suite("Watched searches in notes")
struct WatchedNotesTests {
    /// Ada's club with Ben, and the actions of both on notes about its books.
    private struct Club {
        let scenario: ListScenario
        let club: String
        var random: SeededGenerator
        var books: [String] = []
        var readings: [(id: String, of: String)] = []
        var notes: [(id: String, of: String)] = []

        init(seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            scenario = try ListScenario()
            for name in ["ada", "ben"] { try scenario.pipeline.enter(name) }
            club = try scenario.pipeline.make("/v1/clubs", "{\"name\":\"Tuesdays\"}", as: "ada")
            let invitation = try scenario.pipeline.send("POST", "/v1/clubs/\(club)/invitations", "{}", as: "ada")
            try scenario.send(
                "POST", "/v1/memberships", "{\"invitation\":\"\(invitation["code"]?.string ?? "")\"}", as: "ben")
            for _ in 0..<2 {
                let book = try scenario.pipeline.make("/v1/books", "{\"title\":\"Kindred\"}", as: "admin")
                books.append(book)
                for name in ["ada", "ben"] {
                    readings.append(
                        (try scenario.pipeline.make("/v1/readings", "{\"book\":\"\(book)\"}", as: name), name))
                }
            }
        }

        private mutating func body() -> String { WatchedListsTests.text(&random, 1...5) }

        mutating func write(_ name: String) throws {
            let book = books.randomElement(using: &random) ?? ""
            let place = Int.random(in: 0..<4, using: &random) == 0 ? "" : ",\"club\":\"\(club)\""
            let progress = Int.random(in: 0..<5, using: &random)
            let whole = Bool.random(using: &random) ? "" : ",\"threshold\":\"everyone\""
            let at = progress == 0 ? whole : ",\"position\":{\"progress\":0.\(progress * 2 - 1)}"
            let json = "{\"book\":\"\(book)\",\"body\":\"\(body())\"\(place)\(at)}"
            notes.append((try scenario.pipeline.make("/v1/notes", json, as: name), name))
        }

        mutating func step() throws {
            let name = ["ada", "ben"].randomElement(using: &random) ?? ""
            let note = notes.filter { $0.of == name }.randomElement(using: &random)
            switch (Int.random(in: 0..<13, using: &random), note) {
            case (0...2, let note?):
                try scenario.send("PATCH", "/v1/notes/\(note.id)", "{\"body\":\"\(body())\"}", as: name)
            case (3, let note?):
                try scenario.send("DELETE", "/v1/notes/\(note.id)", as: name)
                notes.removeAll { $0.id == note.id }
            case (4...5, let note?):
                let reply = "{\"replyTo\":\"\(note.id)\",\"body\":\"\(body())\"}"
                notes.append((try scenario.pipeline.make("/v1/notes", reply, as: name), name))
            case (6, let note?): try scenario.send("PUT", "/v1/notes/\(note.id)/reactions/love", as: name)
            case (9, let note?):
                let now = try scenario.pipeline.send("GET", "/v1/notes/\(note.id)", as: name)["share"]?.double ?? 1
                let share = Double(Int(now * 20) + Int.random(in: 1...4, using: &random)) / 20
                if share <= 1 {
                    try scenario.send(
                        "PATCH", "/v1/notes/\(note.id)", "{\"opensAt\":{\"progress\":\(share)}}", as: name)
                }
            case (7...8, _):
                guard let reading = readings.filter({ $0.of == name }).randomElement(using: &random) else { return }
                let progress = "{\"progress\":0.\(Int.random(in: 0...9, using: &random))}"
                try scenario.send("POST", "/v1/readings/\(reading.id)/entries", progress, as: name)
            default: try write(name)
            }
        }
    }

    @Test(
        "Notes enter and leave a search as they are written, changed, deleted and unlocked, and a thread as well",
        arguments: TestBudget.seeds(1, long: 4))
    func notes(_ seed: UInt64) throws {
        var club = try Club(seed: seed)
        for _ in 0..<10 { try club.write("ada") }
        for name in ["ada", "ben"] {
            for text in WatchedListsTests.asked {
                try club.scenario.watch("/v1/clubs/\(club.club)/notes?\(WatchedListsTests.query(text))", as: name)
                try club.scenario.watch("/v1/notes?\(WatchedListsTests.query(text))", as: name)
            }
            let rope = WatchedListsTests.query("rope")
            for query in ["book=\(club.books[0])", "book=\(club.books[0])&\(rope)", "\(rope)&sort=-createdAt"] {
                try club.scenario.watch("/v1/clubs/\(club.club)/notes?\(query)", as: name)
            }
            for note in club.notes.prefix(4) {
                try club.scenario.watch("/v1/clubs/\(club.club)/notes?thread=\(note.id)", as: name)
                try club.scenario.watch("/v1/clubs/\(club.club)/notes?thread=\(note.id)&\(rope)", as: name)
            }
        }
        for step in 0..<TestBudget.of(40, long: 60) {
            try club.step()
            try club.scenario.compare("step \(step)")
        }
    }

    @Test("A search shows nothing of a locked note, and all of it once it is reached, also to a resumed stream")
    func ahead() throws {
        let club = try Club(seed: 0)
        let pipeline = club.scenario.pipeline
        let path = "/v1/clubs/\(club.club)/notes?q=rop"
        _ = pipeline.receive()
        let stream = try pipeline.open(path, as: "ben")
        let seq = try pipeline.send("GET", path, as: "ben")["seq"]?.integer ?? 0
        let json =
            "{\"book\":\"\(club.books[0])\",\"club\":\"\(club.club)\",\"position\":{\"progress\":0.5},\"body\":\"a rope\"}"
        let note = try pipeline.make("/v1/notes", json, as: "ada")
        for body in ["no more", "the ropes"] {
            try club.scenario.send("PATCH", "/v1/notes/\(note)", "{\"body\":\"\(body)\"}", as: "ada")
        }
        #expect(try pipeline.deliver(pipeline.receive(), to: [stream]) == [[]])
        #expect(try pipeline.send("GET", path, as: "ben")["items"]?.elements.map(\.kind).count == 0)
        let reading = try #require(club.readings.first { $0.of == "ben" })
        try club.scenario.send("POST", "/v1/readings/\(reading.id)/entries", "{\"progress\":0.6}", as: "ben")
        #expect(try pipeline.deliver(pipeline.receive(), to: [stream]) == [["unlocked"]])
        try club.scenario.send("PATCH", "/v1/notes/\(note)", "{\"body\":\"no more\"}", as: "ada")
        #expect(try pipeline.deliver(pipeline.receive(), to: [stream]) == [["leave"]])
        let cursor = EventID(epoch: pipeline.pipeline.epoch, seq: seq)
        let again = try pipeline.open("\(path)&after=\(cursor)", as: "ben")
        let page = try pipeline.pipeline.reads.read { () throws(RequestError) in try pipeline.pipeline.next(for: again)
        }
        guard case .send(_, let frames, _) = pipeline.pipeline.models.sending(page, for: again.subscription) else {
            throw UnexpectedResponse(text: "nothing is sent")
        }
        #expect(frames.map(TestPipeline.name) == ["unlocked", "leave"])
    }
}

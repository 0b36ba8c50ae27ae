import Foundation
import JSON
import Model
import ObservableModels
import SharedByTests
import Store
import Testing

@testable import API

/// Random histories of readers who block one another while they write, read on, join, leave and moderate.
@Suite("Blocks in lists and streams")
struct BlockOracleTests {
    private struct Club {
        let scenario: ListScenario
        let club: String
        let book: String
        let ids: [String: String]
        var random: SeededGenerator
        var notes: [(id: String, of: String)] = []
        let readings: [String: String]
        /// The pairs of a blocking and a blocked reader.
        var blocks: Set<[String]> = []
        var moderators: Set<String> = ["ada"]
        static let names = ["ada", "ben", "cem"]

        init(seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            scenario = try ListScenario()
            let pipeline = scenario.pipeline
            for name in Self.names { try pipeline.enter(name) }
            ids = try Dictionary(
                uniqueKeysWithValues: Self.names.map {
                    ($0, try pipeline.send("GET", "/v1/me", as: $0)["id"]?.string ?? "")
                })
            club = try pipeline.make("/v1/clubs", #"{"name":"Tuesdays","moderatorsSeeAhead":true}"#, as: "ada")
            book = try pipeline.make("/v1/books", #"{"title":"Kindred"}"#, as: "admin")
            let book = book
            readings = try Dictionary(
                uniqueKeysWithValues: Self.names.map {
                    ($0, try pipeline.make("/v1/readings", "{\"book\":\"\(book)\"}", as: $0))
                })
            for name in ["ben", "cem"] { try join(name) }
        }

        private func join(_ name: String) throws {
            let invitation = try scenario.pipeline.send("POST", "/v1/clubs/\(club)/invitations", "{}", as: "ada")
            let code = invitation["code"]?.string ?? ""
            try scenario.send("POST", "/v1/memberships", "{\"invitation\":\"\(code)\"}", as: name)
        }

        /// Returns the readers who are hidden from a reader.
        func hidden(from name: String) -> Set<String> {
            moderators.contains(name) ? [] : Set(blocks.filter { $0[0] == name }.compactMap { ids[$0[1]] })
        }

        mutating func step() throws {
            let name = Self.names.randomElement(using: &random) ?? ""
            let other = Self.names.filter { $0 != name }.randomElement(using: &random) ?? ""
            let note = notes.filter { $0.of == name }.randomElement(using: &random)
            switch (Int.random(in: 0..<16, using: &random), note) {
            case (0...2, let note?):
                try scenario.send("PATCH", "/v1/notes/\(note.id)", "{\"body\":\"rope \(notes.count)\"}", as: name)
            case (3, let note?):
                try scenario.send("DELETE", "/v1/notes/\(note.id)", as: name)
                notes.removeAll { $0.id == note.id }
            case (4, let note?):
                try scenario.send("PUT", "/v1/notes/\(note.id)/reactions/love", as: name)
            case (5...8, _):
                let path = "/v1/me/blocks/\(ids[other] ?? "")"
                if blocks.remove([name, other]) != nil { return try scenario.send("DELETE", path, as: name) }
                try scenario.send("PUT", path, as: name)
                blocks.insert([name, other])
            case (9, _) where name != "ada":
                let isOne = moderators.remove(name) == nil
                if isOne { moderators.insert(name) }
                let role = "{\"role\":\"\(isOne ? "moderator" : "member")\"}"
                try scenario.send("PATCH", "/v1/clubs/\(club)/members/\(ids[name] ?? "")", role, as: "ada")
            case (10...11, _):
                let progress = "{\"progress\":0.\(Int.random(in: 0...9, using: &random))}"
                try scenario.send("POST", "/v1/readings/\(readings[name] ?? "")/entries", progress, as: name)
            default:
                let progress = Int.random(in: 0...9, using: &random)
                let body =
                    #"{"book":"\#(book)","club":"\#(club)","position":{"progress":0.\#(progress)},"body":"a rope of \#(name)'s"}"#
                notes.append((try scenario.pipeline.make("/v1/notes", body, as: name), name))
            }
        }

        /// Returns all items of a list by id.
        func fetch(_ path: String, as name: String) throws -> [String: JSONValue] {
            let page = try scenario.pipeline.send("GET", "\(path)\(path.contains("?") ? "&" : "?")limit=100", as: name)
            let items = page["items"]?.elements.map { ($0["id"]?.string ?? "", $0) } ?? []
            return Dictionary(items) { $1 }
        }
    }

    /// Returns a reader's list after a replay from a position in the log.
    private func replayed(
        _ club: Club, _ path: String, as name: String, from seq: Int64, _ held: [String: JSONValue]
    ) throws -> [String: JSONValue] {
        let pipeline = club.scenario.pipeline
        let after = "\(path)\(path.contains("?") ? "&" : "?")after=\(EventID(epoch: pipeline.pipeline.epoch, seq: seq))"
        let stream = try pipeline.open(after, as: name)
        var held = held
        while stream.subscription.state.cursor < pipeline.pipeline.models.head {
            let page = try pipeline.pipeline.reads.read { () throws(RequestError) in
                try pipeline.pipeline.next(for: stream)
            }
            guard
                case .send(_, let frames, let through) = pipeline.pipeline.models.sending(
                    page, for: stream.subscription)
            else {
                throw UnexpectedResponse(text: "nothing is sent")
            }
            for frame in frames {
                let data = try JSONDocument(Array(EventFrame.data(of: frame))).root
                held[data["id"]?.string ?? ""] = TestPipeline.name(of: frame) == "leave" ? nil : data["value"]
            }
            _ = pipeline.pipeline.models.delivered(stream.subscription, through: through, .taken)
            if stream.subscription.state.phase == .live { break }
            _ = pipeline.pipeline.models.wake(stream.subscription)
        }
        pipeline.pipeline.models.cancel(stream.subscription)
        return held
    }

    @Test(
        "Streams show what lists show, live and replayed, and nothing of authors whom their reader blocks",
        arguments: TestBudget.seeds(1, long: 4))
    func steps(_ seed: UInt64) throws {
        var club = try Club(seed: seed)
        let path = "/v1/clubs/\(club.club)/notes"
        let paths = [path, "\(path)?q=rope", "\(path)?book=\(club.book)"]
        for name in Club.names {
            for path in paths {
                for isWindow in [false, true] { try club.scenario.watch(path, as: name, isWindow: isWindow) }
            }
        }
        _ = club.scenario.pipeline.receive()
        let start = try club.scenario.pipeline.send("GET", path, as: "ben")["seq"]?.integer ?? 0
        for step in 0..<80 {
            try club.step()
            // The scenario keeps this function, which must not keep the scenario.
            let hidden = Dictionary(uniqueKeysWithValues: Club.names.map { ($0, club.hidden(from: $0)) })
            club.scenario.hears = { name, path, data in
                let authors = ([data["value"]] + (data["items"]?.elements.map { $0 } ?? [])).compactMap {
                    $0?["author"]?.string
                }
                let shown = hidden[name, default: []].intersection(authors)
                #expect(shown.isEmpty, "step \(step): \(path) shows \(name) whom they block")
            }
            try club.scenario.compare("step \(step)")
            for name in Club.names {
                let found = try club.fetch(path, as: name)
                let authors = Set(found.values.compactMap { $0["author"]?.string })
                #expect(club.hidden(from: name).isDisjoint(with: authors), "step \(step): \(name)")
                for (id, author) in club.notes.map({ ($0.id, club.ids[$0.of] ?? "") })
                where club.hidden(from: name).contains(author) {
                    #expect(try club.scenario.pipeline.send("GET", "/v1/notes/\(id)", as: name).status == 404)
                }
            }
        }
        for name in Club.names {
            for path in paths {
                let held = try replayed(club, path, as: name, from: start, [:])
                #expect(try held == club.fetch(path, as: name), "\(path) as \(name)")
            }
        }
    }
}

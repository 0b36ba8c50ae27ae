import Foundation
import JSON
import Model
import SharedByTests
import Testing

@testable import API
@testable import Store

/// A club in which sight was had once: what its members saw stays with them.
private struct SeenOnce {
    let story: ClubStory
    let edition: String
    var service: TestService { story.service }

    init() throws {
        story = try ClubStory(club: ",\"moderatorsSeeAhead\":true")
        edition = try story.service.make("/v1/books/\(story.book)/editions", EditionTests.paper, token: story.ada)
        _ = try story.note("0.5", "seen by all ways")
        try undo("\"progress\":0.6")
        try undo("\"at\":{\"page\":300,\"edition\":\"\(edition)\"}") {
            try note("\"at\":{\"page\":290,\"edition\":\"\(edition)\"}", "seen in the edition")
        }
        try note("\"at\":{\"page\":200,\"edition\":\"\(edition)\"}", "written after the undo")
        _ = try story.note("0.55", "after it, too")
        try chapters()
        try undo("\"at\":{\"chapter\":2,\"fraction\":0.9}") {
            try note("\"at\":{\"chapter\":2,\"fraction\":0.8}", "seen by chapters")
        }
        try know()
        try moderate()
        _ = try story.note("0.2", "not yet")
    }

    private func note(_ place: String, _ body: String) throws {
        let club = "\"book\":\"\(story.book)\",\"club\":\"\(story.club)\""
        _ = try service.make("/v1/notes", "{\(club),\(place),\"body\":\"\(body)\"}", token: story.ada)
    }

    /// Ben comes to a place, and takes it back.
    private func undo(_ place: String, _ meanwhile: () throws -> Void = {}) throws {
        let path = "/v1/readings/\(story.reading)/entries"
        let entry = try service.make(path, "{\(place)}", token: story.ben)
        try meanwhile()
        #expect(try service.send("DELETE", "\(path)/\(entry)", token: story.ben).status == 204)
    }

    private func chapters() throws {
        let body = "{\"chapters\":[{\"label\":\"1\",\"share\":0},{\"label\":\"2\",\"share\":0.7}]}"
        #expect(try service.send("PUT", "/v1/books/\(story.book)/chapters", body, token: story.ada).status == 201)
    }

    private func know() throws {
        let path = "/v1/books/\(story.book)/knowledge"
        _ = try story.note("0.97", "known")
        #expect(try service.send("PUT", path, "{}", token: story.ben).status == 201)
        #expect(try service.send("DELETE", path, token: story.ben).status == 204)
        _ = try story.note("0.96", "no more known")
    }

    /// Ben moderates for a while, and sees ahead.
    private func moderate() throws {
        for role in ["moderator", "member"] {
            let path = "/v1/clubs/\(story.club)/members/\(story.benID)"
            #expect(try service.send("PATCH", path, "{\"role\":\"\(role)\"}", token: story.ada).status == 200)
            _ = try story.note("0.99", "as a \(role)")
        }
    }
}

@Suite("What stayed in sight moves house, too", .serialized, .ownThreads)
struct MovedSightTests {
    private func bodies(_ service: TestService, _ story: ClubStory, as token: String) throws -> [String] {
        let answer = try service.send("GET", "/v1/clubs/\(story.club)/notes?limit=100", token: token)
        return (answer["items"]?.elements.compactMap { $0["body"]?.string } ?? []).sorted()
    }

    private func token(of reader: String, in house: TestService) throws -> String {
        let answer = try house.send("POST", "/v1/tokens", "{\"name\":\"t\",\"reader\":\"\(reader)\"}")
        return answer["token"]?.string ?? ""
    }

    @Test("What was in sight before something was undone is in another house, and what came after it is not")
    func undone() throws {
        let from = try SeenOnce()
        let seen = try bodies(from.service, from.story, as: from.story.ben)
        let expected = [
            "as a moderator", "known", "no more known", "seen by all ways", "seen by chapters", "seen in the edition",
        ]
        #expect(Set(seen).isSuperset(of: expected) && !seen.contains("not yet") && !seen.contains("as a member"))
        let lines = Array(try from.service.lines("/v1/admin/export").dropFirst().dropLast())
        let steps = lines.filter { $0.hasPrefix("{\"kind\":\"reach\"") }
        #expect(steps.count > 2)

        let to = try TestService()
        let first = try to.bring(lines.filter { !steps.contains($0) })
        #expect(first["refused"]?.elements.map { _ in 1 } == [], "\(first.text)")
        let ben = try token(of: from.story.benID, in: to)
        #expect(try bodies(to, from.story, as: ben) == [])
        let list = try Watcher(to, "/v1/clubs/\(from.story.club)/notes", token: ben)
        #expect(list.wait(count: 1))
        let second = try to.bring(steps)
        #expect(second["created"]?.integer == Int64(steps.count), "\(second.text)")
        #expect(try bodies(to, from.story, as: ben) == seen)
        // Who watches is told, of each once.
        #expect(list.wait(count: 1 + seen.count) && list.names.dropFirst().allSatisfy { $0 == "unlocked" })
        #expect(try to.bring(lines)["unchanged"]?.integer == Int64(lines.count))
        #expect(try to.lines("/v1/admin/export").filter { $0.hasPrefix("{\"kind\":\"reach\"") } == steps)
        // It goes on from there.
        let entries = "/v1/readings/\(from.story.reading)/entries"
        _ = try to.make(entries, "{\"progress\":0.25}", token: ben)
        #expect(try bodies(to, from.story, as: ben) == (seen + ["not yet"]).sorted())
        to.stop()
        #expect(try Store.check(directory: to.directory) == [])
    }

    @Test("A line of it that cannot be is refused, and no account has one")
    func nonsense() throws {
        let from = try SeenOnce()
        let lines = try from.service.lines("/v1/admin/export").filter { $0.hasPrefix("{\"kind\":\"reach\"") }
        let line = try #require(lines.first { $0.contains("\"by\":\"book\"") })
        let through = try #require(try JSONDocument(Array(line.utf8)).root["through"]?.string)
        let own = try from.service.make(
            "/v1/notes", "{\"book\":\"\(from.story.book)\",\"body\":\"my own\"}", token: from.story.ben)
        let other = try from.service.make("/v1/books", "{\"title\":\"Dawn\"}")
        for (old, new, says) in [
            (through, own, "/through"), (through, other, "/through"), (from.story.book, other, "/through"),
            (from.story.benID, other, "/reader"), (from.story.book, from.story.club, "/of"),
            ("\"book\"", "\"x\"", "/by"),
            ("\"share\":", "\"share\":9999999999", "/share"), ("\"share\":", "\"share\":-", "/share"),
            ("\"share\":", "\"shore\":", "shore"),
        ] {
            let answer = try from.service.bring([line.replacing(old, with: new)])
            #expect(answer["refused"]?.elements.map { _ in 1 } == [1] && answer.text.contains(says), "\(answer.text)")
        }
        let account = "\"account\":\"\(from.story.benID)\","
        let foreign = try from.service.bring([line], "/v1/me/import", more: account, token: from.story.ben)
        #expect(foreign.text.contains("/problems/import-foreign"), "\(foreign.text)")
        #expect(
            try !from.service.lines("/v1/me/export", token: from.story.ben).contains { $0.contains("\"reach\"") })
    }

    @Test("Settings and a shelf that became again what they are from the start are said in no house")
    func changedBack() throws {
        let house = try TestService()
        let before = try house.lines("/v1/admin/export")
        let me = try house.send("GET", "/v1/me")["id"]?.string ?? ""
        for zone in ["Europe/Lisbon", "UTC"] {
            #expect(try house.send("PATCH", "/v1/settings", "{\"timeZone\":\"\(zone)\"}").status == 200)
            let isSaid = try house.lines("/v1/admin/export").contains { $0.contains("\"kind\":\"settings\"") }
            #expect(isSaid == (zone != "UTC"))
        }
        for name in ["Soon", "Want to read"] {
            #expect(try house.send("PATCH", "/v1/shelves/\(me)", "{\"name\":\"\(name)\"}").status == 200)
        }
        #expect(try house.lines("/v1/admin/export") == before)
    }
}

import Foundation
import JSON
import SharedByTests
import Testing

@testable import API

/// Tests of a stream's names that have ended, and return only with a complete snapshot.
@Suite("Names that have ended", .ownThreads)
struct GoneNamesTests {
    /// A club of two. Ben watches one URL in it, and the books, whose changes advance the stream's ids.
    private struct Scenario {
        let story: ClubStory
        let stream: TestStream

        init(_ url: (ClubStory) throws -> String) throws {
            story = try ClubStory()
            stream = try TestStream(
                story.service, "{\"it\":\"\(url(story))\",\"books\":\"/v1/books\"}", token: story.ben)
        }

        /// Sends a request that must succeed.
        func send(_ method: String, _ path: String, _ body: String? = nil, by token: String) throws {
            let answer = try story.service.send(method, path, body, token: token)
            #expect(answer.status < 300, "\(answer.text)")
        }

        /// Advances a connection past all earlier changes.
        func move(_ watcher: Watcher) throws {
            let book = try story.service.make("/v1/books", "{\"title\":\"Dawn\"}")
            #expect(watcher.wait { $0.events.last?.data.contains(book) ?? false })
        }

        /// Returns the events that a connection received for the club's URL.
        func received(_ watcher: Watcher) -> [String] {
            watcher.received.map { $0.replacing(#/ \d+$/#, with: "") }.filter { $0.contains("it") }
        }

        func expectBegins(_ watcher: Watcher) {
            #expect(watcher.wait { received($0).count == 2 })
            #expect(received(watcher) == ["subscribed it", "it snapshot"])
        }
    }

    @Test("A window of a club's notes begins anew for a reader who was outside, although an ended name watched it")
    func window() throws {
        let path = "notes?limit=2"
        let scenario = try Scenario { "/v1/clubs/\($0.club)/\(path)" }
        let (story, service) = (scenario.story, scenario.story.service)
        let open =
            "{\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"threshold\":\"everyone\",\"body\":\"mine\"}"
        let mine = try service.make("/v1/notes", open, token: story.ben)
        let entry = try story.read("0.9")
        let others = try (1...4).map { try story.note("0.5", "SECRET\($0)") }
        let first = try scenario.stream.open()
        #expect(first.wait { $0.lastID != nil && scenario.received($0).count == 2 })
        try scenario.send("DELETE", "/v1/clubs/\(story.club)/members/\(story.benID)", by: story.ben)
        #expect(first.wait { scenario.received($0).last?.contains("it gone") == true })
        // The entry that unlocked the notes goes while Ben is outside.
        try scenario.send("DELETE", "/v1/readings/\(story.reading)/entries/\(entry)", by: story.ben)
        try story.join(story.ben)
        #expect(try story.seen() == [mine])
        // Some of them are on the loop of the first connection, which stays open.
        let again = try (0..<6).map { _ in try Watcher(service, "/v1/clubs/\(story.club)/\(path)", token: story.ben) }
        #expect(again.allSatisfy { $0.wait(count: 1) })
        let next = try service.make("/v1/notes", open, token: story.ben)
        try scenario.send("DELETE", "/v1/notes/\(next)", by: story.ben)
        for watcher in again {
            #expect(watcher.wait { $0.names.last == "leave" })
            #expect(watcher.names == ["snapshot", "enter", "leave"], "\(watcher.names)")
            #expect(!watcher.events.contains { event in others.contains { event.data.contains($0) } })
        }
    }

    private func check(
        _ scenario: Scenario, ends end: () throws -> Void, because reason: String, comesBack: () throws -> Void,
        then change: () throws -> Void, received: String
    ) throws {
        let first = try scenario.stream.open()
        #expect(first.wait { $0.lastID != nil } && scenario.received(first) == ["subscribed it,books", "it snapshot"])
        try end()
        #expect(first.wait { scenario.received($0).last == "it gone (\(reason))" })
        try scenario.move(first)
        let second = try scenario.stream.open(after: first.lastID)
        #expect(second.wait { scenario.received($0) == ["it gone (notFound)"] })
        try comesBack()
        try scenario.move(second)
        #expect(scenario.received(second) == ["it gone (notFound)"])
        let third = try scenario.stream.open(after: second.lastID)
        scenario.expectBegins(third)
        try change()
        #expect(third.wait { scenario.received($0).last == received }, "\(scenario.received(third))")
        // From here on the name behaves like any other.
        try scenario.move(third)
        let fourth = try scenario.stream.open(after: third.lastID)
        try scenario.move(fourth)
        #expect(scenario.received(fourth) == [])
    }

    @Test("A name for a club that the reader left begins again after their return, and stays gone until then")
    func left() throws {
        let scenario = try Scenario { "/v1/clubs/\($0.club)/notes" }
        let story = scenario.story
        try check(
            scenario,
            ends: { try scenario.send("DELETE", "/v1/clubs/\(story.club)/members/\(story.benID)", by: story.ben) },
            because: "noLongerYours", comesBack: { try story.join(story.ben) },
            then: { _ = try story.note("0") }, received: "it enter")
    }

    @Test("A name for a note of a blocked author begins again after the block, and stays gone until then")
    func blocked() throws {
        var note = ""
        let scenario = try Scenario {
            note = try $0.note("0")
            return "/v1/notes/\(note)"
        }
        let story = scenario.story
        let adaID = try #require(try story.service.send("GET", "/v1/me", token: story.ada)["id"]?.string)
        let block = "/v1/me/blocks/\(adaID)"
        try check(
            scenario, ends: { try scenario.send("PUT", block, "{}", by: story.ben) }, because: "noLongerYours",
            comesBack: { try scenario.send("DELETE", block, by: story.ben) },
            then: { try scenario.send("PATCH", "/v1/notes/\(note)", #"{"body":"again"}"#, by: story.ada) },
            received: "it updated")
    }

    @Test("A name for a missing resource begins with a snapshot when the resource exists")
    func made() throws {
        let id = "01890000-0000-7000-8000-000000000001"
        let scenario = try Scenario { _ in "/v1/books/\(id)" }
        let service = scenario.story.service
        let first = try scenario.stream.open()
        #expect(first.wait { scenario.received($0) == ["subscribed it,books", "it gone (notFound)"] })
        #expect(try service.send("PUT", "/v1/books/\(id)", #"{"title":"Fledgling"}"#).status == 201)
        try scenario.move(first)
        #expect(scenario.received(first).count == 2)
        let second = try scenario.stream.open(after: first.lastID)
        scenario.expectBegins(second)
        try scenario.move(second)
        #expect(!(second.lastID?.contains(".g") ?? true))
        #expect(try service.send("PATCH", "/v1/books/\(id)", #"{"pageCount":9}"#).status == 200)
        #expect(second.wait { scenario.received($0).last == "it updated" })
    }

    @Test("An id of another stream of the same reader is no cursor, and that of a single URL's event is one")
    func foreign() throws {
        let story = try ClubStory()
        let one = try TestStream(story.service, #"{"books":"/v1/books"}"#, token: story.ben)
        let other = try TestStream(story.service, #"{"books":"/v1/readings"}"#, token: story.ben)
        let first = try one.open()
        #expect(first.wait { $0.lastID != nil })
        let id = try #require(first.lastID)
        let watcher = try other.open(after: id)
        #expect(watcher.wait { $0.lastID != nil })
        #expect(watcher.names.prefix(3) == ["reset", "subscribed", "snapshot"])
        #expect(watcher.events.first?.data == #"{"reason":"the cursor is from another stream"}"#)
        let plain = try one.open(after: story.service.head(token: story.ben))
        let book = try story.service.make("/v1/books", #"{"title":"Dawn"}"#)
        #expect(plain.wait { !$0.events.isEmpty } && plain.names == ["change"])
        #expect(plain.events.first?.data.contains(book) ?? false)
    }
}

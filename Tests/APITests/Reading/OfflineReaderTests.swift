import API
import Foundation
import JSON
import SharedByTests
import Testing

@Suite("Offline devices", .serialized, .ownThreads)
struct OfflineReaderTests {
    private let service: TestService
    private let ada: String
    private let book: String

    init() throws {
        service = try TestService()
        ada = try service.reader("Ada")
        book = try service.make("/v1/books", "{\"title\":\"Kindred\",\"pageCount\":100}")
    }

    private static func id(_ number: Int) -> String { "0199b7c0-0f00-7001-8000-" + String(format: "%012d", number) }

    private func path(_ number: Int) -> String { "/v1/books/\(book)/entries/\(Self.id(number))" }

    /// Sends a device's recorded entries, each with its number, hour and progress.
    private func send(_ entries: [(number: Int, hour: Int, progress: Double)]) throws -> [JSONValue] {
        let lines = entries.map { entry in
            let at = String(format: "2026-01-02T%02d:00:00Z", entry.hour)
            return BatchTests.line(
                "PUT", path(entry.number), "{\"progress\":\(entry.progress),\"happenedAt\":\"\(at)\"}")
        }
        let answer = try service.send(
            "POST", "/v1/batch", "{\"atomic\":false,\"requests\":[\(lines.joined(separator: ","))]}", token: ada)
        #expect(answer.status == 200)
        return answer["answers"]?.elements.map { $0 } ?? []
    }

    private func list(_ path: String) throws -> [JSONValue] {
        try service.send("GET", path, token: ada)["items"]?.elements.map { $0 } ?? []
    }

    @Test("Two phones that begin a book offline both keep their entries, each in one request, however often it is sent")
    func twoPhones() throws {
        let first = try send([(1, 8, 0.1), (2, 12, 0.4)])
        #expect(first.map { $0["status"]?.integer } == [201, 201])
        let second = try send([(3, 7, 0.05), (4, 10, 0.2), (5, 14, 0.5)])
        #expect(second.map { $0["status"]?.integer } == [201, 201, 201])
        let readings = try list("/v1/readings")
        #expect(readings.count == 1)
        let reading = try #require(readings.first?["id"]?.string)
        #expect((first + second).allSatisfy { $0["body"]?["reading"]?.string == reading })
        #expect(readings[0]["progress"]?.double == 0.5 && readings[0]["latestEntry"]?.string == Self.id(5))
        let history = try list("/v1/readings/\(reading)/entries").map { $0["progress"]?.double }
        #expect(history == [0.5, 0.4, 0.2, 0.1, 0.05])
        let head = try service.head(token: ada)
        #expect(try send([(1, 8, 0.1), (2, 12, 0.4)]).allSatisfy { $0["unchanged"]?.bool == true })
        #expect(try service.events(after: head, token: ada) == [])
        let place = "/v1/readings/\(reading)/entries/\(Self.id(1))"
        let own = try service.send("GET", place, token: ada)
        #expect(own.status == 200 && own["progress"]?.double == 0.1)
        #expect(first[0]["location"]?.string == place)
    }

    @Test("An entry joins the reading that was open at its time, else the open one, else a new one")
    func byTime() throws {
        let ended = try service.make(
            "/v1/readings", "{\"book\":\"\(book)\",\"finishedAt\":\"2026-01-02T09:00:00Z\"}", token: ada)
        let early = try send([(1, 8, 0.5)])
        #expect(early[0]["body"]?["reading"]?.string == ended)
        let new = try #require(try send([(2, 10, 0.3)])[0]["body"]?["reading"]?.string)
        #expect(new != ended)
        let begun = try service.send("GET", "/v1/readings/\(new)", token: ada)
        #expect(begun["number"]?.integer == 2 && begun["progress"]?.double == 0.3 && begun["page"]?.integer == 30)
        // The reading was abandoned at ten, by its latest entry; earlier entries belong to it.
        _ = try service.send("PATCH", "/v1/readings/\(new)", #"{"state":"abandoned"}"#, token: ada)
        #expect(try send([(3, 10, 0.2)])[0]["body"]?["reading"]?.string == new)
        let third = try #require(try send([(4, 11, 0.1)])[0]["body"]?["reading"]?.string)
        #expect(![ended, new].contains(third))
        // Without a time the entry is dated now.
        let now = try service.send("PUT", path(5), "{\"page\":40}", token: ada)
        #expect(now.status == 201 && now["reading"]?.string == third)
        let finished = try service.send("GET", "/v1/readings/\(ended)", token: ada)
        #expect(finished["isFinished"]?.bool == true && finished["progress"]?.integer == 1)
    }

    @Test("An undone entry of a book is not created again by a retry, and nobody else sees it")
    func undone() throws {
        let reading = try #require(try send([(1, 8, 0.1)])[0]["body"]?["reading"]?.string)
        let ben = try service.reader("Ben")
        let place = "/v1/readings/\(reading)/entries/\(Self.id(1))"
        #expect(try service.send("GET", place, token: ben).status == 404)
        let foreign = try service.send("PUT", path(1), "{\"progress\":0.1}", token: ben)
        #expect(foreign.status == 409 && foreign["current"] == nil)
        #expect(try service.send("GET", "/v1/readings", token: ben)["items"]?.elements.isEmpty == true)
        #expect(
            try service.send("PUT", "/v1/books/\(Self.id(9))/entries/\(Self.id(2))", "{\"page\":1}", token: ada).status
                == 404)
        #expect(try service.send("DELETE", place, token: ada).status == 204)
        #expect(try send([(1, 8, 0.1)])[0]["status"]?.integer == 410)
    }

    @Test("An entry that joins a finished reading unlocks notes, and changes no standing")
    func inClub() throws {
        let story = try ClubStory()
        try story.choose()
        try story.createStanding(sharing: "exact")
        let note = try story.note("0.9")
        let path = "/v1/readings/\(story.reading)"
        _ = try story.service.send("PATCH", path, #"{"finishedAt":"2026-01-02T09:00:00Z"}"#, token: story.ben)
        #expect(try story.seen() == [note])
        let standing = try story.list("standings").first?["version"]?.integer
        var head = try story.service.head(token: story.ben)
        let early = #"{"progress":0.3,"happenedAt":"2026-01-01T09:00:00Z"}"#
        let made = try story.service.send("POST", "\(path)/entries", early, token: story.ben)
        #expect(made.status == 201, "\(made.text)")
        #expect(
            try story.service.events(after: head, token: story.ben) == [
                "entry created", "reading updated", "standing updated",
            ])
        head = try story.service.head(token: story.ben)
        let earlier = #"{"progress":0.2,"happenedAt":"2026-01-01T08:00:00Z"}"#
        #expect(try story.service.send("POST", "\(path)/entries", earlier, token: story.ben).status == 201)
        #expect(try story.service.events(after: head, token: story.ben) == ["entry created"])
        let shown = try #require(try story.list("standings").first)
        #expect(shown["version"]?.integer != standing && shown["progress"]?.integer == 1)
        #expect(shown["finishedAt"]?.string == "2026-01-02T09:00:00.000Z")
        // A reopened reading has the position of its latest entry.
        let open = try story.service.send("PATCH", path, #"{"isFinished":false}"#, token: story.ben)
        #expect(open["progress"]?.double == 0.3 && open["latestEntryAt"]?.string == "2026-01-01T09:00:00.000Z")
    }
}

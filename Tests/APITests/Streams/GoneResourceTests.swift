import JSON
import SharedByTests
import Testing

@testable import API

@Suite("Streams of resources that are gone without a change of their own", .serialized, .ownThreads)
struct GoneResourceTests {
    /// Makes Ben leave the club, or Ada delete it.
    private func takeClub(from story: ClubStory, _ isLeaving: Bool) throws {
        let club = "/v1/clubs/\(story.club)"
        let (path, token) = isLeaving ? ("\(club)/members/\(story.benID)", story.ben) : (club, story.ada)
        #expect(try story.service.send("DELETE", path, token: token).status == 204)
    }

    /// Returns the status of a resumed stream, after a change of something else.
    private func status(_ story: ClubStory, _ path: String, by token: String, after cursor: String?) throws -> String {
        _ = try story.service.make("/v1/books", #"{"title":"Dawn"}"#)
        let watcher = try Watcher(story.service, path, token: token, lastEventID: cursor)
        watcher.wait { $0.status.count == 12 }
        return String(watcher.status.suffix(3))
    }

    @Test("A resumed stream of a note is refused if the club was deleted or left meanwhile", arguments: [false, true])
    func notes(isLeaving: Bool) throws {
        let story = try ClubStory()
        let path = "/v1/notes/\(try story.note("0"))"
        let cursor = try story.service.head(token: story.ben)
        try takeClub(from: story, isLeaving)
        for _ in 0..<2 { #expect(try status(story, path, by: story.ben, after: cursor) == "404") }
    }

    /// A resource that Ben watches, and the request that takes it from him.
    struct Row: CustomTestStringConvertible {
        let path: String
        let end: (method: String, path: String, body: String?)
        let isByAda: Bool
        let event: String

        init(_ path: String, _ end: (String, String, String?), byAda isByAda: Bool = false, sends event: String) {
            (self.path, self.end, self.isByAda, self.event) = (path, end, isByAda, event)
        }

        var testDescription: String { "\(path): \(end.method) \(end.path)" }
    }

    static let rows = [
        Row("/v1/shelves/{shelf}", ("DELETE", "/v1/shelves/{shelf}", nil), sends: "deleted"),
        Row("/v1/readings/{reading}", ("DELETE", "/v1/readings/{reading}", nil), sends: "deleted"),
        Row("/v1/cards/{reading}", ("DELETE", "/v1/readings/{reading}", nil), sends: "deleted"),
        Row("/v1/readings/{reading}/entries/{entry}", ("DELETE", "/v1/readings/{reading}", nil), sends: "deleted"),
        Row("/v1/notes/{note}", ("DELETE", "/v1/notes/{note}", nil), byAda: true, sends: "deleted"),
        Row(
            "/v1/notes/{note}", ("PATCH", "/v1/notes/{note}", #"{"threshold":"finished"}"#), byAda: true, sends: "leave"
        ),
        Row("/v1/notes/{note}", ("PUT", "/v1/me/blocks/{ada}", "{}"), sends: "leave"),
        Row("{club}/meetings/{meeting}", ("DELETE", "{club}/meetings/{meeting}", nil), byAda: true, sends: "deleted"),
    ]

    @Test("A resumed stream gets the end of its resource if it comes after the cursor, and else 404", arguments: rows)
    func ended(_ row: Row) throws {
        let story = try ClubStory()
        let service = story.service
        let ids = [
            "{shelf}": try service.make("/v1/shelves", #"{"name":"Sea"}"#, token: story.ben),
            "{reading}": story.reading, "{entry}": try story.read("0.5"), "{note}": try story.note("0.1"),
            "{meeting}": try story.meeting(), "{club}": "/v1/clubs/\(story.club)",
            "{ada}": try #require(try service.send("GET", "/v1/me", token: story.ada)["id"]?.string),
        ]
        func filled(_ text: String) -> String { ids.reduce(text) { $0.replacing($1.key, with: $1.value) } }
        let path = filled(row.path)
        let live = try Watcher(service, path, token: story.ben)
        #expect(live.wait(count: 1))
        let end = try service.send(
            row.end.method, filled(row.end.path), row.end.body, token: row.isByAda ? story.ada : story.ben)
        #expect(end.status < 300 && live.wait { $0.names == ["snapshot", row.event] }, "\(end.text) \(live.names)")
        #expect(try status(story, path, by: story.ben, after: live.events.first?.id) == "200")
        let resumed = try Watcher(service, path, token: story.ben, lastEventID: live.events.first?.id)
        #expect(resumed.wait(count: 1) && resumed.events == Array(live.events.dropFirst()))
        for _ in 0..<2 { #expect(try status(story, path, by: story.ben, after: live.lastID) == "404") }
    }

    @Test(
        "Resumed names of notes and shelves are gone if the club was deleted or left meanwhile, and other names continue",
        arguments: [false, true])
    func names(isLeaving: Bool) throws {
        let story = try ClubStory()
        let shelf = try story.service.make(
            "/v1/shelves", #"{"name":"Sea","club":"\#(story.club)"}"#, token: story.ada)
        let names = #"{"note":"/v1/notes/\#(try story.note("0"))","shelf":"/v1/shelves/\#(shelf)","books":"/v1/books"}"#
        let stream = try TestStream(story.service, names, token: story.ben)
        let cursor = try story.service.head(token: story.ben)
        try takeClub(from: story, isLeaving)
        let second = try stream.open(after: cursor)
        let gone: Set = ["note gone (notFound)", "shelf gone (notFound)"]
        #expect(second.wait { Set($0.received) == gone }, "\(second.received)")
        let book = try story.service.make("/v1/books", #"{"title":"Persuasion"}"#)
        #expect(second.wait { $0.events.last?.data.contains(book) ?? false })
        #expect(second.lastID?.contains(".g") ?? false && !second.isComplete)
        let third = try stream.open(after: second.lastID)
        #expect(third.wait { Set($0.received) == gone }, "\(third.received)")
    }

    @Test("A resumed stream of a note that is there stays open, also if nothing happened to it")
    func open() throws {
        let story = try ClubStory()
        let note = try story.note("0")
        let cursor = try story.service.head(token: story.ben)
        _ = try story.read("0.1")
        let watcher = try Watcher(story.service, "/v1/notes/\(note)", token: story.ben, lastEventID: cursor)
        let patch = #"{"body":"other words"}"#
        #expect(try story.service.send("PATCH", "/v1/notes/\(note)", patch, token: story.ada).status == 200)
        #expect(watcher.wait { $0.events.last?.data.contains("other words") ?? false } && !watcher.isComplete)
    }
}

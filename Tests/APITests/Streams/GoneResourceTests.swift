import SharedByTests
import Testing

@testable import API

@Suite("Streams of resources that are gone without a change of their own", .serialized, .ownThreads)
struct GoneResourceTests {
    @Test(
        "A resumed stream of a note ends if the club was deleted or left meanwhile, and the next attempt is refused",
        arguments: [false, true])
    func notes(isLeaving: Bool) throws {
        let story = try ClubStory()
        let note = try story.note("0")
        let path = "/v1/notes/\(note)"
        let cursor = try story.service.head(token: story.ben)
        if isLeaving {
            let member = "/v1/clubs/\(story.club)/members/\(story.benID)"
            #expect(try story.service.send("DELETE", member, token: story.ben).status == 204)
        } else {
            #expect(try story.service.send("DELETE", "/v1/clubs/\(story.club)", token: story.ada).status == 204)
        }
        func resume(after cursor: String) throws -> Answer {
            let fields = ["Accept: text/event-stream", "Last-Event-ID: \(cursor)"]
            return try story.service.send("GET", path, token: story.ben, fields: fields)
        }
        // The stream ends, and its only frame is a bookmark.
        let ended = try resume(after: cursor)
        #expect(ended.status == 200 && ended.text.contains("event: bookmark"), "\(ended.text)")
        #expect(!ended.text.contains("data:"), "\(ended.text)")
        let id = ended.text.split(separator: "\n").last { $0.hasPrefix("id: ") }?.dropFirst("id: ".count) ?? ""
        #expect(try resume(after: String(id)).status == 404)
    }

    @Test(
        "A resumed name of a note is gone if the club was deleted or left meanwhile, and the other names continue",
        arguments: [false, true])
    func names(isLeaving: Bool) throws {
        let story = try ClubStory()
        let names = #"{"note":"/v1/notes/\#(try story.note("0"))","books":"/v1/books"}"#
        let stream = try NamedStream(story.service, names, token: story.ben)
        let cursor = try story.service.head(token: story.ben)
        if isLeaving {
            let member = "/v1/clubs/\(story.club)/members/\(story.benID)"
            #expect(try story.service.send("DELETE", member, token: story.ben).status == 204)
        } else {
            #expect(try story.service.send("DELETE", "/v1/clubs/\(story.club)", token: story.ada).status == 204)
        }
        let second = try stream.open(after: cursor)
        #expect(second.wait { $0.received == ["note gone (notFound)"] }, "\(second.received)")
        let book = try story.service.make("/v1/books", #"{"title":"Persuasion"}"#)
        #expect(second.wait { $0.events.last?.data.contains(book) ?? false })
        #expect(second.lastID?.contains(".g") ?? false && !second.isComplete)
        let third = try stream.open(after: second.lastID)
        #expect(third.wait { $0.received == ["note gone (notFound)"] }, "\(third.received)")
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

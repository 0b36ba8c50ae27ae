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

    @Test(
        "A resumed stream of a note ends if the club was deleted or left meanwhile, and the next attempt is refused",
        arguments: [false, true])
    func notes(isLeaving: Bool) throws {
        let story = try ClubStory()
        let note = try story.note("0")
        let path = "/v1/notes/\(note)"
        let cursor = try story.service.head(token: story.ben)
        try takeClub(from: story, isLeaving)
        func resume(after cursor: String) throws -> Answer {
            let fields = ["Accept: text/event-stream", "Last-Event-ID: \(cursor)"]
            return try story.service.send("GET", path, token: story.ben, fields: fields)
        }
        // The stream ends, and its only frame is a bookmark.
        let ended = try resume(after: cursor)
        #expect(ended.status == 200 && ended.text.contains("event: bookmark"), "\(ended.text)")
        #expect(ended.text.split(separator: "\n").filter { $0.hasPrefix("data:") } == ["data: {}"], "\(ended.text)")
        let id = ended.text.split(separator: "\n").last { $0.hasPrefix("id: ") }?.dropFirst("id: ".count) ?? ""
        #expect(try resume(after: String(id)).status == 404)
    }

    @Test(
        "Resumed names of notes and shelves are gone if the club was deleted or left meanwhile, and other names continue",
        arguments: [false, true])
    func names(isLeaving: Bool) throws {
        let story = try ClubStory()
        let shelf = try story.service.make(
            "/v1/shelves", #"{"name":"Sea","club":"\#(story.club)"}"#, token: story.ada)
        let names = #"{"note":"/v1/notes/\#(try story.note("0"))","shelf":"/v1/shelves/\#(shelf)","books":"/v1/books"}"#
        let stream = try NamedStream(story.service, names, token: story.ben)
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

import JSON
import SharedByTests
import Testing

@Suite("Deleted runs", .serialized, .ownThreads)
struct DeletedRunTests {
    @Test(
        "The notes of a former member are found, listed and watched by members; no others are")
    func notes() throws {
        let story = try ClubStory()
        let service = story.service
        let runs = "/v1/clubs/\(story.club)/runs"
        let run = try service.make(runs, #"{"book":"\#(story.book)","state":"current"}"#, token: story.ada)
        let body =
            #"{"book":"\#(story.book)","club":"\#(story.club)","run":"\#(run)","position":{"progress":0.5},"body":"x"}"#
        let note = try service.make("/v1/notes", body, token: story.ada)
        #expect(try service.send("DELETE", "\(runs)/\(run)", token: story.ada).status == 204)
        let list = "/v1/clubs/\(story.club)/notes?run=\(run)"
        func ids(_ token: String) throws -> [String]? {
            let page = try service.send("GET", list, token: token)
            return page.status == 404 ? nil : page["items"]?.elements.compactMap { $0["id"]?.string }
        }
        #expect(try ids(story.ada) == [note] && ids(story.ben) == nil)
        _ = try story.read("0.6")
        #expect(try ids(story.ben) == [note])
        #expect(
            try service.send("GET", "/v1/clubs/\(story.club)/milestones?run=\(run)", token: story.ada).status == 404)
        let other = try service.make("/v1/clubs", #"{"name":"Others"}"#, token: story.ada)
        #expect(try service.send("GET", "/v1/clubs/\(other)/notes?run=\(run)", token: story.ada).status == 404)
        let watcher = try Watcher(service, list, token: story.ben)
        #expect(watcher.wait(count: 1))
        #expect(try service.send("DELETE", "/v1/notes/\(note)", token: story.ada).status == 204)
        #expect(watcher.wait { $0.names.contains("leave") })
        #expect(try ids(story.ada) == nil)
    }
}

import JSON
import Testing

@Suite("Threads")
struct ThreadTests {
    private static func counted(_ note: String, _ service: TestService, by token: String) throws -> Int64? {
        try service.send("GET", "/v1/notes/\(note)", token: token)["replyCount"]?.integer
    }

    @Test("A root counts the replies visible to all its viewers, in the commits that change them")
    func counts() throws {
        let story = try ClubStory()
        let (service, root) = (story.service, try story.note("0"))
        func count(_ token: String) throws -> Int64? { try Self.counted(root, service, by: token) }
        func reply(to note: String, _ members: String) throws -> String {
            try service.make("/v1/notes", "{\"replyTo\":\"\(note)\",\(members)}", token: story.ada)
        }
        #expect(try count(story.ben) == 0)
        let watcher = try Watcher(service, "/v1/notes/\(root)?fields=replyCount", token: story.ben)
        #expect(watcher.wait(count: 1))
        let start = try service.head(token: story.ben)
        let near = try reply(to: root, #""body":"Near.""#)
        #expect(watcher.wait(count: 2) && watcher.names == ["snapshot", "updated"])
        let changes =
            try service.send("GET", "/v1/changes?after=\(start)", token: story.ben)["items"]?.elements.map { $0 } ?? []
        #expect(changes.map { $0["change"]?.string } == ["created", "updated"])
        #expect(Set(changes.map { $0["transaction"]?.integer }).count == 1)
        #expect(changes.last?["changed"]?.elements.compactMap(\.string) == ["replyCount"])
        // A reply that some of the root's readers cannot see is counted for no one.
        _ = try reply(to: near, #""position":{"progress":0.9},"body":"Far.""#)
        #expect(try count(story.ben) == 1 && count(story.ada) == 1)
        #expect(
            try service.send("PATCH", "/v1/notes/\(near)", #"{"threshold":"finished"}"#, token: story.ada).status == 200
        )
        #expect(try count(story.ben) == 0)
        // With the root's new threshold all of them are for readers who have finished.
        let raised = try service.send("PATCH", "/v1/notes/\(root)", #"{"threshold":"finished"}"#, token: story.ada)
        #expect(raised["replyCount"]?.integer == 2)
        #expect(try service.send("GET", "/v1/notes/\(root)", token: story.ada).etag == raised.etag)
        #expect(try service.send("DELETE", "/v1/notes/\(near)", token: story.ada).status == 204)
        #expect(try count(story.ada) == 1)
        #expect(try service.send("DELETE", "/v1/notes/\(root)", token: story.ada).status == 204)
    }

    @Test("A list of thread roots has no replies, and its stream no events of them")
    func roots() throws {
        let story = try ClubStory()
        let (service, root) = (story.service, try story.note("0"))
        let list = "/v1/clubs/\(story.club)/notes?thread=roots"
        func ids(_ path: String) throws -> [String] {
            try service.send("GET", path, token: story.ada)["items"]?.elements.compactMap { $0["id"]?.string } ?? []
        }
        let watcher = try Watcher(service, list, token: story.ben)
        #expect(watcher.wait(count: 1))
        _ = try service.make("/v1/notes", #"{"replyTo":"\#(root)","body":"Yes."}"#, token: story.ada)
        let other = try story.note("0")
        #expect(watcher.wait(count: 3) && watcher.names == ["snapshot", "updated", "enter"])
        for path in [list, "/v1/notes?thread=roots"] { #expect(try ids(path) == [other, root], "\(path)") }
        #expect(try ids("/v1/notes?thread=\(root)").count == 2)
        let wrong = try service.send("GET", "/v1/notes?thread=ROOTS", token: story.ben)
        #expect(wrong.status == 400 && wrong.text.contains("must be roots, or a UUID"))
    }

    @Test("A thread's list has its notes that the reader may see, and each can be fetched as a note")
    func thread() throws {
        let story = try ClubStory()
        let (service, note) = (story.service, try story.note("0"))
        func reply(to note: String, _ members: String, by token: String) throws -> String {
            try service.make("/v1/notes", "{\"replyTo\":\"\(note)\",\(members)}", token: token)
        }
        _ = try reply(to: try story.note("0"), #""body":"Elsewhere.""#, by: story.ada)
        let near = try reply(to: note, #""body":"Near.""#, by: story.ada)
        let far = try reply(to: near, #""position":{"progress":0.9},"body":"Far.""#, by: story.ada)
        let path = "/v1/clubs/\(story.club)/notes?thread=\(note)"
        func seen(_ path: String, by token: String) throws -> [String?] {
            try service.send("GET", path, token: token)["items"]?.elements.map { $0["id"]?.string } ?? []
        }
        #expect(try seen(path, by: story.ben) == [near, note])
        #expect(try seen(path, by: story.ada) == [far, near, note])
        #expect(try service.send("GET", "/v1/notes/\(near)", token: story.ben)["thread"]?.string == note)
        #expect(try service.send("GET", "/v1/notes/\(far)", token: story.ben).status == 404)
        let watcher = try Watcher(service, path, token: story.ben)
        #expect(watcher.wait(count: 1))
        _ = try story.read("0.95")
        #expect(
            watcher.wait { $0.events.contains { $0.name == "unlocked" && $0.data.contains("Far.") } },
            "\(watcher.names)")
        // A private note's thread is in the list of one's own notes.
        let own = try service.make("/v1/notes", "{\"book\":\"\(story.book)\",\"body\":\"Mine.\"}", token: story.ben)
        let answer = try reply(to: own, #""body":"Indeed.""#, by: story.ben)
        #expect(try seen("/v1/notes?thread=\(own)", by: story.ben) == [answer, own])
        #expect(try seen("/v1/notes?thread=\(own)", by: story.ada) == [])
    }
}

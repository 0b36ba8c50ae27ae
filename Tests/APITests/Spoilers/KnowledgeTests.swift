import API
import Foundation
import JSON
import SharedByTests
import Testing

extension ClubStory {
    fileprivate var knowledge: String { "/v1/books/\(book)/knowledge" }

    /// Records Ben's prior knowledge.
    @discardableResult
    fileprivate func know(_ body: String, status: Int = 201) throws -> Answer {
        let answer = try service.send("PUT", knowledge, body, token: ben)
        #expect(answer.status == status, "\(body): \(answer.text)")
        return answer
    }
}

@Suite("Prior knowledge", .serialized, .ownThreads)
struct KnowledgeTests {
    @Test("Prior knowledge unlocks notes like an entry; it is no reading, and nobody else gets an event")
    func opens() throws {
        let story = try ClubStory()
        let service = story.service
        try story.choose()
        try story.createStanding(sharing: "exact")
        let notes = [try story.note("0.2"), try story.note("0.4"), try story.note("0.9")]
        let last = try service.make(
            "/v1/notes", "{\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"body\":\"the end\"}",
            token: story.ada)
        let list = try Watcher(service, "/v1/clubs/\(story.club)/notes", token: story.ben)
        #expect(list.wait(count: 1))
        let (bens, adas) = (try service.head(token: story.ben), try service.head(token: story.ada))
        let readings = try service.send("GET", "/v1/readings", token: story.ben)["items"]?.encoded

        let given = try story.know(#"{"through":{"progress":0.4}}"#)
        #expect(given["progress"]?.double == 0.4 && given["book"]?.string == story.book, "\(given.text)")
        #expect(given.fields["location"] == story.knowledge)
        #expect(try story.seen() == [notes[1], notes[0]])
        #expect(
            try service.events(after: bens, token: story.ben)
                == ["knowledge created", "note unlocked", "note unlocked"])
        try story.know("{}", status: 200)
        #expect(try Set(story.seen()) == Set(notes + [last]))
        #expect(list.wait(count: 5) && list.names.dropFirst().allSatisfy { $0 == "unlocked" })
        let again = try story.know("{}", status: 200)
        #expect(again.fields["lectern-unchanged"] == "true" && again["through"]?.isNull == true)

        #expect(try service.events(after: adas, token: story.ada) == [])
        #expect(try service.send("GET", story.knowledge, token: story.ada).status == 404)
        #expect(try service.send("GET", story.knowledge).status == 404)
        #expect(try service.send("GET", "/v1/readings", token: story.ben)["items"]?.encoded == readings)
        let standings = try story.list("standings")
        #expect(standings.count == 1 && standings[0]["progress"]?.integer == 0)
    }

    @Test("Removed knowledge hides the notes, with the reason, and the rest still counts")
    func undone() throws {
        let story = try ClubStory()
        let service = story.service
        _ = try story.read("0.3")
        let (near, far) = (try story.note("0.3"), try story.note("0.5"))
        try story.know("{}")
        #expect(try Set(story.seen()) == [near, far])
        let list = try Watcher(service, "/v1/clubs/\(story.club)/notes", token: story.ben)
        #expect(list.wait(count: 1))
        try story.know(#"{"through":{"progress":0.45}}"#, status: 200)
        #expect(try story.seen() == [near])
        #expect(list.wait(count: 2) && list.names.last == "leave")
        #expect(list.events.last?.data.contains("\"reason\":\"undone\"") ?? false)
        let second = try story.note("0.4")
        #expect(try Set(story.seen()) == [near, second])
        let before = try service.head(token: story.ben)
        #expect(try service.send("DELETE", story.knowledge, token: story.ben).status == 204)
        #expect(try service.events(after: before, token: story.ben) == ["knowledge deleted", "note hidden"])
        #expect(try service.send("DELETE", story.knowledge, token: story.ben).status == 404)
        #expect(try story.seen() == [near])
        try story.know("{}")
        #expect(try Set(story.seen()) == [near, far, second])
    }

    @Test(
        "A reader who knows a book sees its notes on joining a club, and not after a return without the knowledge"
    )
    func coming() throws {
        let story = try ClubStory()
        let note = try story.note("0.5")
        let own = "/v1/clubs/\(story.club)/members/\(story.benID)"
        #expect(try story.service.send("DELETE", own, token: story.ben).status == 204)
        try story.know("{}")
        try story.join(story.ben)
        #expect(try story.seen() == [note])
        #expect(try story.service.send("DELETE", own, token: story.ben).status == 204)
        #expect(try story.service.send("DELETE", story.knowledge, token: story.ben).status == 204)
        try story.join(story.ben)
        #expect(try story.seen() == [])
    }

    @Test("A stream of prior knowledge sends its creation, removal and new creation")
    func watched() throws {
        let story = try ClubStory()
        let service = story.service
        #expect(try Watcher(service, story.knowledge, token: story.ben).wait { $0.status == "HTTP/1.1 404" })
        try story.know(#"{"through":{"page":40}}"#)
        let watcher = try Watcher(service, story.knowledge, token: story.ben)
        #expect(watcher.wait(count: 1) && watcher.events[0].data.contains("\"through\":{\"page\":40}"))
        try story.know("{}", status: 200)
        #expect(watcher.wait(count: 2) && watcher.names == ["snapshot", "updated"])
        #expect(watcher.events[1].data.contains("\"changed\":[\"through\",\"progress\"]"))
        let stale = try service.send(
            "PUT", story.knowledge, "{}", token: story.ben, fields: ["If-Match: \"00000000-1\""])
        #expect(stale.status == 412)
        #expect(try service.send("DELETE", story.knowledge, token: story.ben).status == 204)
        #expect(watcher.wait(count: 3) && watcher.names.last == "deleted")
    }

    @Test(
        "Knowledge through a chapter includes its end, in any edition; an invalid position is refused with its pointer")
    func places() throws {
        let story = try ClubStory()
        let service = story.service
        for (body, pointer) in [
            (#"{"through":{"page":101}}"#, "/through/page"), (#"{"through":{"chapter":1}}"#, "/through/chapter"),
            (#"{"through":{"seconds":1}}"#, "/through/seconds"), (#"{"through":{}}"#, "/through/progress"),
            (#"{"through":0.5}"#, "/through"), (#"{"progress":0.5}"#, "/progress"),
            (#"{"through":{"page":1,"edition":"\#(story.club)"}}"#, "/through/edition"),
        ] {
            #expect(try story.know(body, status: 422).pointers == [pointer], "\(body)")
        }
        let none = "/v1/books/\(story.club)/knowledge"
        #expect(try service.send("PUT", none, "{}", token: story.ben).status == 404)
        let chapters = #"{"chapters":[{},{"share":0.25},{"share":0.5}]}"#
        #expect(
            try service.send("PUT", "/v1/books/\(story.book)/chapters", chapters, token: story.ada).status == 201)
        let paper = try service.make("/v1/books/\(story.book)/editions", EditionTests.paper, token: story.ada)
        let anchors = #"{"anchors":[10,67,200]}"#
        #expect(try service.send("PATCH", "/v1/editions/\(paper)", anchors, token: story.ada).status == 200)
        let at = #","position":{"page":199,"edition":"\#(paper)"}"#
        let body = #"{"book":"\#(story.book)","club":"\#(story.club)","body":"x"\#(at)}"#
        let note = try service.make("/v1/notes", body, token: story.ada)
        try story.know(#"{"through":{"chapter":2,"within":0.9}}"#)
        #expect(try story.seen() == [])
        let known = try story.know(#"{"through":{"chapter":2}}"#, status: 200)
        #expect(known["progress"]?.double == 0.5 && known.text.contains(#""through":{"chapter":2,"within":1}"#))
        #expect(try story.seen() == [note])
        let own = try service.make("/v1/books", #"{"title":"Dawn"}"#, token: story.ada)
        #expect(try service.send("PUT", "/v1/books/\(own)/knowledge", "{}", token: story.ben).status == 201)
        let gone = try service.send("DELETE", "/v1/books/\(own)", token: story.ada)
        #expect(gone.status == 403 || gone["type"]?.string == "/problems/book-in-use", "\(gone.text)")
    }

    @Test(
        "An author's prior knowledge moves no note: the note of a reader who knows the book says its threshold in the response"
    )
    func knowers() throws {
        let story = try ClubStory()
        try story.know("{}")
        func write(_ members: String) throws -> Answer {
            let body = "{\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"body\":\"tea at eight\"\(members)}"
            return try story.service.send("POST", "/v1/notes", body, token: story.ben)
        }
        #expect(try write(#","threshold":"everyone""#)["threshold"]?.string == "everyone")
        #expect(try write("")["threshold"]?.string == "finished")
        let at = try write(#","position":{"progress":0.2}"#)
        #expect(at["threshold"]?.string == "position" && at["share"]?.double == 0.25)
    }

    @Test("An abandoned reading keeps its unlocked notes")
    func abandoned() throws {
        let story = try ClubStory()
        let (near, far) = (try story.note("0.4"), try story.note("0.6"))
        _ = try story.read("0.5")
        for state in ["paused", "abandoned"] {
            let before = try story.service.head(token: story.ben)
            let answer = try story.service.send(
                "PATCH", "/v1/readings/\(story.reading)", "{\"state\":\"\(state)\"}", token: story.ben)
            #expect(answer.status == 200)
            #expect(try story.service.events(after: before, token: story.ben) == ["reading updated"])
            #expect(try story.seen().first == near)
        }
        let later = try story.note("0.5")
        #expect(try story.seen() == [later, near])
        _ = try story.service.make(
            "/v1/readings", "{\"book\":\"\(story.book)\"}", token: story.ben)
        let last = try story.note("0.5")
        #expect(try story.seen() == [last, later, near] && !story.seen().contains(far))
    }
}

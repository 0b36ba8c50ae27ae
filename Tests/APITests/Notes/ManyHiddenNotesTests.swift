import JSON
import SharedByTests
import Testing

@testable import API
@testable import Store

@Suite("Very many notes that a reader cannot see", .serialized, .ownThreads)
struct ManyHiddenNotesTests {
    @Test("Notes for moderators use up nothing of the number at which a member's counts and views look")
    func moderatorNotes() throws {
        let story = try ClubStory()
        let service = story.service
        let club = "/v1/clubs/\(story.club)"
        #expect(try service.send("PATCH", club, #"{"countsAhead":true}"#, token: story.ada).status == 200)
        let note = "\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"body\":\"b\""
        _ = try service.make("/v1/notes", "{\(note),\"threshold\":\"finished\"}", token: story.ada)
        let hidden = "{\(note),\"position\":{\"progress\":0.2},\"audience\":\"moderators\"}"
        let request = "{\"method\":\"POST\",\"path\":\"/v1/notes\",\"body\":\(hidden)}"
        let batch = "{\"atomic\":false,\"requests\":[\(Array(repeating: request, count: 100).joined(separator: ","))]}"
        for _ in 0...NoteVisibilitySQL.checkedMax / 100 {
            #expect(try service.send("POST", "/v1/batch", batch, token: story.ada).status == 200)
        }
        let list = try service.send("GET", "\(club)/notes", token: story.ben)
        #expect(list["ahead"]?.integer == 1, "\(list.text)")
        let meeting = try story.meeting(",\"book\":\"\(story.book)\"")
        let view = try service.send("GET", "\(club)/meetings/\(meeting)/notes", token: story.ben)
        #expect(view["isCut"]?.bool == false, "\(view.text)")
    }

    @Test("A page looks at a limited number of notes, continues with the next one, and no list takes longer for them")
    func pages() throws {
        let story = try ClubStory()
        let service = story.service
        let start = try service.head(token: story.ben)
        let members = "\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"body\":\"a zebra\""
        let first = try service.make(
            "/v1/notes", "{\(members),\"threshold\":\"everyone\",\"kind\":\"thought\"}", token: story.ada)
        let hidden = "{\(members),\"threshold\":\"finished\"}"
        let request = "{\"method\":\"POST\",\"path\":\"/v1/notes\",\"body\":\(hidden)}"
        let batch = "{\"atomic\":false,\"requests\":[\(Array(repeating: request, count: 100).joined(separator: ","))]}"
        for _ in 0...NoteVisibilitySQL.checkedMax / 100 {
            let made = try service.send("POST", "/v1/batch", batch, token: story.ada)
            #expect(made.status == 200, "\(made.text)")
        }
        let club = "/v1/clubs/\(story.club)"
        for query in ["", "&q=zebra&sort=-createdAt", "&q=zebra"] {
            let list = "\(club)/notes?limit=20\(query)"
            var page = try service.send("GET", list, token: story.ben)
            // A search by relevance looks at more notes as long as it has time.
            if query != "&q=zebra" {
                #expect(page.status == 200 && page["items"]?.elements.map { _ in 1 } == [], "\(page.text)")
                #expect(page["next"]?.string != nil)
            }
            while page["items"]?.elements.first(where: { _ in true }) == nil, let next = page["next"]?.string {
                page = try service.send("GET", "\(list)&cursor=\(next)", token: story.ben)
            }
            #expect(page["items"]?.elements.map { $0["id"]?.string } == [first] && page["next"]?.string == nil)
        }
        // Notes that do not match count, too, but not those outside a thread.
        for list in ["\(club)/notes?kind=thought", "/v1/notes?kind=thought"] {
            let page = try service.send("GET", list, token: story.ada)
            #expect(page["items"]?.elements.map { _ in 1 } == [], "\(page.text)")
            let next = try service.send("GET", "\(list)&cursor=\(page["next"]?.string ?? "")", token: story.ada)
            #expect(next["items"]?.elements.map { $0["id"]?.string } == [first] && next["next"]?.string == nil)
        }
        let thread = try service.send("GET", "\(club)/notes?thread=\(first)", token: story.ben)
        #expect(thread["items"]?.elements.map { $0["id"]?.string } == [first] && thread["next"]?.string == nil)
        // A page of changes ends early, too, and a stream continues through all pages.
        let feed = try service.send("GET", "/v1/changes?limit=100&after=\(start)", token: story.ben)
        #expect(feed["items"]?.elements.map { $0["id"]?.string } == [first], "\(feed.text)")
        #expect(try feed["next"]?.string != service.head(token: story.ben))
        let watcher = try Watcher(service, "/v1/changes", token: story.ben, lastEventID: start)
        let last = try story.note("0", "the last zebra")
        #expect(watcher.wait { $0.events.last?.data.contains(last) ?? false })
        #expect(watcher.names == ["created", "created"])
        let full = try service.send("GET", "\(club)/notes?limit=20", token: story.ada)
        #expect(full["items"]?.elements.map { _ in 1 }.count == 20 && full["next"]?.string != nil)
        // A list's cursor may be behind what the reader has received, but never before a change that they receive.
        let list = try service.send("GET", "\(club)/members", token: story.ben)
        let cursor = try #require(list["after"]?.string)
        let note = try story.note("0", "another zebra")
        let events = try service.events(after: cursor, token: story.ben)
        #expect(events == ["note created"] && !note.isEmpty, "\(events)")
        // The view of a meeting looks at those first that unlock first.
        let meeting = try story.meeting(",\"book\":\"\(story.book)\"")
        let view = try service.send("GET", "\(club)/meetings/\(meeting)/notes", token: story.ben)
        #expect(view["isCut"]?.bool == true)
        #expect(view["threads"]?.elements.map { $0["thread"]?.string } == [first, last, note], "\(view.text)")
        // All are unlocked in one transaction, which a resumed stream gets in parts.
        let locked = (NoteVisibilitySQL.checkedMax / 100 + 1) * 100
        let before = try service.head(token: story.ben)
        let finished = try service.send(
            "PATCH", "/v1/readings/\(story.reading)", #"{"isFinished":true}"#, token: story.ben)
        #expect(finished.status == 200, "\(finished.text)")
        let resumed = try Watcher(service, "\(club)/notes", token: story.ben, lastEventID: before)
        #expect(resumed.wait(count: locked))
        #expect(resumed.names.allSatisfy { $0 == "unlocked" } && resumed.names.count == locked)
        let marked = resumed.events.map { $0.data.contains("\"isLast\":true") }
        #expect(marked.last == true && marked.count { $0 } == 1)
    }
}

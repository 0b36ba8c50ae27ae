import SharedByTests
import Testing

@testable import API

/// Tests of streams of single resources that are deleted and created again, live and replayed.
@Suite("Replayed deletions", .ownThreads)
struct ReplayedDeletionTests {
    @Test("A deleted shelf sends its deletion live and to a client that resumes")
    func shelf() throws {
        let service = try TestService()
        let shelf = try service.make("/v1/shelves", "{\"name\":\"Sea\"}")
        let live = try Watcher(service, "/v1/shelves/\(shelf)")
        #expect(live.wait { $0.names == ["snapshot"] })
        #expect(try service.send("DELETE", "/v1/shelves/\(shelf)").status == 204)
        #expect(live.wait { $0.names == ["snapshot", "deleted"] })

        let replayed = try Watcher(service, "/v1/shelves/\(shelf)", lastEventID: live.events.first?.id)
        #expect(replayed.wait(count: 1))
        #expect(replayed.events == Array(live.events.dropFirst()))
        #expect(try Watcher(service, "/v1/shelves/\(shelf)").wait { $0.status == "HTTP/1.1 404" })
    }

    @Test("A resuming client cannot distinguish another reader's deleted shelf from one that never existed")
    func othersShelf() throws {
        let story = try ClubStory()
        let shelf = try story.service.make("/v1/shelves", "{\"name\":\"Sea\"}")
        let live = try Watcher(story.service, "/v1/shelves/\(shelf)")
        #expect(live.wait { $0.lastID != nil })
        #expect(try story.service.send("DELETE", "/v1/shelves/\(shelf)").status == 204)
        let watchers = try [shelf, "01890000-0000-7000-8000-000000000001"].map {
            try Watcher(
                story.service, "/v1/shelves/\($0)", token: story.ben, lastEventID: live.events.first?.id)
        }
        for watcher in watchers { #expect(watcher.wait { $0.status.count == 12 }) }
        #expect(watchers[0].status == watchers[1].status)
        for watcher in watchers { #expect(watcher.events.isEmpty) }
    }

    @Test("A block that ends and begins again sends the same events live and replayed")
    func block() throws {
        let story = try ClubStory()
        let path = "/v1/me/blocks/\(story.benID)"
        func send(_ method: String) throws {
            let answer = try story.service.send(method, path, token: story.ada)
            #expect(answer.status < 300, "\(answer.text)")
        }
        try send("PUT")
        let live = try Watcher(story.service, path, token: story.ada)
        #expect(live.wait { $0.names == ["snapshot"] })
        try send("DELETE")
        try send("PUT")
        #expect(live.wait { $0.names == ["snapshot", "deleted", "created"] })

        let replayed = try Watcher(story.service, path, token: story.ada, lastEventID: live.events.first?.id)
        #expect(replayed.wait(count: 2))
        #expect(replayed.events == Array(live.events.dropFirst()))
    }

    @Test("A club's deleted note sends its deletion live and to a resuming member, and not to readers who never saw it")
    func note() throws {
        let story = try ClubStory()
        let notes = [try story.note("0"), try story.note("0.9")]
        let live = try Watcher(story.service, "/v1/notes/\(notes[0])", token: story.ben)
        #expect(live.wait { $0.names == ["snapshot"] })
        for note in notes {
            #expect(try story.service.send("DELETE", "/v1/notes/\(note)", token: story.ada).status == 204)
        }
        #expect(live.wait { $0.names == ["snapshot", "deleted"] })

        let replayed = try notes.map {
            try Watcher(story.service, "/v1/notes/\($0)", token: story.ben, lastEventID: live.events.first?.id)
        }
        #expect(replayed[0].wait(count: 1) && replayed[1].wait { $0.status.count == 12 })
        #expect(replayed[0].events == Array(live.events.dropFirst()) && replayed[1].events.isEmpty)
        #expect(
            try Watcher(story.service, "/v1/notes/\(notes[0])", token: story.ben).wait { $0.status == "HTTP/1.1 404" })
    }

    @Test("A member who leaves and returns gets the same events live and replayed")
    func member() throws {
        let story = try ClubStory()
        let path = "/v1/clubs/\(story.club)/members/\(story.benID)"
        let live = try Watcher(story.service, path, token: story.ada)
        #expect(live.wait { $0.names == ["snapshot"] })
        #expect(try story.service.send("DELETE", path, token: story.ben).status == 204)
        #expect(live.wait { $0.names == ["snapshot", "deleted"] })
        let gone = try Watcher(story.service, path, token: story.ada, lastEventID: live.events.first?.id)
        #expect(gone.wait(count: 1) && gone.events == Array(live.events.dropFirst()))
        try story.join(story.ben)
        #expect(live.wait { $0.names == ["snapshot", "deleted", "created"] })

        let replayed = try Watcher(story.service, path, token: story.ada, lastEventID: live.events.first?.id)
        #expect(replayed.wait(count: 2) && gone.wait(count: 2))
        #expect(replayed.events == Array(live.events.dropFirst()) && gone.events == replayed.events)
    }

    @Test("The author of a private note that was shared and deleted with the club gets its deletion, and no words")
    func sharedNote() throws {
        let story = try ClubStory()
        let start = try story.service.head(token: story.ben)
        let note = try story.service.make(
            "/v1/notes", "{\"book\":\"\(story.book)\",\"body\":\"kestrel\"}", token: story.ben)
        let shared = "{\"club\":\"\(story.club)\"}"
        #expect(try story.service.send("PATCH", "/v1/notes/\(note)", shared, token: story.ben).status == 200)
        #expect(try story.service.send("DELETE", "/v1/clubs/\(story.club)", token: story.ada).status == 204)
        #expect(
            try story.service.events(after: start, token: story.ben)
                == ["note created", "note deleted", "membership deleted"])
        let page = try story.service.send("GET", "/v1/changes?after=\(start)", token: story.ben)
        #expect(!page.text.contains("kestrel"), "\(page.text)")
    }

    @Test(
        "A resumed search says the same whatever the words of a note were that was deleted or hidden meanwhile",
        arguments: [("DELETE", ""), ("PATCH", "{\"threshold\":\"finished\"}")])
    func search(method: String, body: String) throws {
        let story = try ClubStory()
        let start = try story.service.head(token: story.ben)
        let note = try story.note("0", "a kestrel")
        let change = try story.service.send(
            method, "/v1/notes/\(note)", body.isEmpty ? nil : body, token: story.ada)
        #expect(change.status < 300, "\(change.text)")
        let mark = try story.note("0", "kestrel falcon")
        let events = try ["kestrel", "falcon"].map { word in
            let list = "/v1/clubs/\(story.club)/notes?q=\(word)"
            let watcher = try Watcher(story.service, list, token: story.ben, lastEventID: start)
            #expect(watcher.wait { $0.events.last?.data.contains(mark) ?? false })
            return watcher.events
        }
        #expect(events[0] == events[1] && events[0].map(\.name) == ["leave", "enter"])
    }
}

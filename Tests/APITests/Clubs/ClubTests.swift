import API
import Foundation
import JSON
import SharedByTests
import Store
import Testing

/// A club of two with a book of a hundred pages.
struct ClubStory {
    let service: TestService
    let ada: String
    let ben: String
    let benID: String
    let book: String
    let club: String
    let reading: String

    init(club fields: String = "") throws {
        service = try TestService()
        ada = try service.reader("Ada")
        ben = try service.reader("Ben")
        benID = try service.send("GET", "/v1/me", token: ben)["id"]?.string ?? ""
        book = try service.make("/v1/books", "{\"title\":\"Kindred\",\"pageCount\":100}")
        club = try service.make("/v1/clubs", "{\"name\":\"Tuesdays\"\(fields)}", token: ada)
        reading = try service.make("/v1/readings", "{\"book\":\"\(book)\"}", token: ben)
        try join(ben)
    }

    /// Returns the code of a new invitation.
    func invite() throws -> String {
        try service.send("POST", "/v1/clubs/\(club)/invitations", "{}", token: ada)["code"]?.string ?? ""
    }

    func join(_ token: String) throws {
        let answer = try service.send("POST", "/v1/memberships", "{\"invitation\":\"\(try invite())\"}", token: token)
        #expect(answer.status == 201, "\(answer.text)")
    }

    /// Makes Ada remove a member.
    func remove(_ token: String, _ query: String = "") throws {
        let id = try service.send("GET", "/v1/me", token: token)["id"]?.string ?? ""
        let answer = try service.send("DELETE", "/v1/clubs/\(club)/members/\(id)\(query)", token: ada)
        #expect(answer.status == 204, "\(answer.text)")
    }

    /// Creates Ada's note for the club.
    func note(_ progress: String, _ body: String = "a thought") throws -> String {
        try service.make(
            "/v1/notes",
            "{\"book\":\"\(book)\",\"club\":\"\(club)\",\"position\":{\"progress\":\(progress)},\"body\":\"\(body)\"}",
            token: ada)
    }

    func read(_ progress: String) throws -> String {
        try service.make("/v1/readings/\(reading)/entries", "{\"progress\":\(progress)}", token: ben)
    }

    /// Returns the ids of the notes in Ben's list.
    func seen(_ query: String = "") throws -> [String] {
        let answer = try service.send("GET", "/v1/clubs/\(club)/notes?limit=100\(query)", token: ben)
        return answer["items"]?.elements.compactMap { $0["id"]?.string } ?? []
    }
}

@Suite("Clubs", .serialized, .ownThreads)
struct ClubTests {
    @Test("A locked note is shown nowhere; the entry that reaches it sends it right after itself, also on a resume")
    func gate() throws {
        let story = try ClubStory()
        let service = story.service
        let start = try service.head(token: story.ben)
        let feed = try Watcher(service, "/v1/changes", token: story.ben)
        let list = try Watcher(service, "/v1/clubs/\(story.club)/notes", token: story.ben)
        #expect(feed.wait(count: 1) && list.wait(count: 1))
        let note = try story.note("0.43", "the rope snaps")
        let reply = try service.make("/v1/notes", "{\"replyTo\":\"\(note)\",\"body\":\"again?\"}", token: story.ada)
        _ = try service.send("PATCH", "/v1/notes/\(note)", "{\"body\":\"the rope snapped\"}", token: story.ada)

        #expect(try story.seen() == [] && story.seen("&q=rope") == [] && story.seen("&thread=\(note)") == [])
        #expect(try service.send("GET", "/v1/notes/\(note)", token: story.ben).status == 404)
        for (method, path, body) in [
            ("PATCH", "/v1/notes/\(note)", "{\"body\":\"x\"}"), ("DELETE", "/v1/notes/\(note)", nil),
            ("POST", "/v1/notes", "{\"replyTo\":\"\(note)\",\"body\":\"x\"}"),
        ] { #expect(try service.send(method, path, body, token: story.ben).status == 404) }
        #expect(try service.events(after: start, token: story.ben) == [])
        #expect(
            try service.send("GET", "/v1/clubs/\(story.club)/notes", token: story.ben)["ahead"] == nil)

        _ = try story.read("0.42")
        _ = try story.read("0.44")
        let expected = [
            "entry created", "reading updated", "entry created", "reading updated", "note unlocked", "note unlocked",
        ]
        #expect(try service.events(after: start, token: story.ben) == expected)
        #expect(
            feed.wait(count: 7)
                && feed.names.dropFirst() == ["created", "updated", "created", "updated", "unlocked", "unlocked"])
        #expect(list.wait(count: 3) && list.names == ["snapshot", "unlocked", "unlocked"])
        #expect(list.events[1].data.contains("the rope snapped"))
        #expect(try Set(story.seen()) == [note, reply] && story.seen("&q=snapped") == [note])
        let again = try Watcher(service, "/v1/changes", token: story.ben, lastEventID: feed.events[0].id)
        #expect(again.wait(count: 6) && again.events == Array(feed.events.dropFirst()))
        let transactions =
            try service.send("GET", "/v1/changes?after=\(start)", token: story.ben)["items"]?.elements
            .map { $0["transaction"]?.integer ?? 0 } ?? []
        #expect(Set(transactions.suffix(4)).count == 1)
    }

    @Test("One entry that unlocks many notes sends each once, and a resumed stream sends them in the same order")
    func flood() throws {
        let story = try ClubStory()
        let service = story.service
        let body = String(repeating: "\u{1F4D6}", count: 6000)
        var notes: [String] = []
        for number in 1...70 { notes.append(try story.note("0.\(number + 100)", body)) }
        let feed = try Watcher(service, "/v1/changes", token: story.ben)
        let list = try Watcher(service, "/v1/clubs/\(story.club)/notes", token: story.ben)
        #expect(feed.wait(count: 1) && list.wait(count: 1))
        let start = try service.head(token: story.ben)
        _ = try story.read("0.5")
        let mark = try service.make("/v1/books", "{\"title\":\"The End\"}")
        #expect(feed.wait { $0.events.last?.data.contains(mark) ?? false } && list.wait(count: 71))
        func ids(_ events: [Watcher.Event]) -> [String] {
            events.filter { $0.name == "unlocked" }.compactMap {
                (try? JSONDocument(Array($0.data.utf8)).root)?["id"]?.string
            }
        }
        #expect(ids(feed.events) == notes && ids(list.events) == notes)
        let again = try Watcher(service, "/v1/changes", token: story.ben, lastEventID: feed.events[0].id)
        #expect(again.wait(count: feed.events.count - 1) && again.events == Array(feed.events.dropFirst()))
        // Page by page, no change is lost or repeated.
        var paged: [String] = []
        var cursor = start
        for _ in 0..<10 {
            let page = try service.send("GET", "/v1/changes?limit=10&after=\(cursor)", token: story.ben)
            let items = page["items"]?.elements.map { $0 } ?? []
            paged += items.filter { $0["change"]?.string == "unlocked" }.compactMap { $0["id"]?.string }
            cursor = page["next"]?.string ?? ""
        }
        #expect(paged == notes)
    }

    @Test("A book with deleted notes of a club cannot be deleted, because members must receive the deletions")
    func deadNotes() throws {
        let story = try ClubStory()
        let note = try story.note("0")
        let start = try story.service.head(token: story.ben)
        _ = try story.service.send("DELETE", "/v1/notes/\(note)", token: story.ada)
        _ = try story.service.send("DELETE", "/v1/readings/\(story.reading)", token: story.ben)
        #expect(try story.service.send("DELETE", "/v1/books/\(story.book)").status == 409)
        #expect(try story.service.events(after: start, token: story.ben).first == "note deleted")
        #expect(try story.service.send("DELETE", "/v1/clubs/\(story.club)", token: story.ada).status == 204)
        #expect(try story.service.send("DELETE", "/v1/books/\(story.book)").status == 204)
    }

    @Test("Undoing an entry takes its unlocks back")
    func undo() throws {
        let story = try ClubStory()
        let early = try story.note("0.3")
        let entry = try story.read("0.5")
        #expect(try story.seen() == [early])
        _ = try story.service.send("DELETE", "/v1/readings/\(story.reading)/entries/\(entry)", token: story.ben)
        let later = try story.note("0.4")
        #expect(try story.seen() == [])
        _ = try story.read("0.45")
        #expect(try Set(story.seen()) == [early, later])
    }

    @Test("Finishing a reading unlocks all its notes, and reopening takes that back")
    func finish() throws {
        let story = try ClubStory()
        let note = try story.note("1")
        _ = try story.service.send(
            "PATCH", "/v1/readings/\(story.reading)", "{\"isFinished\":true}", token: story.ben)
        #expect(try story.seen() == [note])
        _ = try story.service.send(
            "PATCH", "/v1/readings/\(story.reading)", "{\"isFinished\":false}", token: story.ben)
        #expect(try story.seen() == [])
    }

    @Test("A member who leaves gets an event, and then nothing more, live or replayed")
    func leaving() throws {
        let story = try ClubStory()
        let service = story.service
        let feed = try Watcher(service, "/v1/changes", token: story.ben)
        let list = try Watcher(service, "/v1/clubs/\(story.club)/notes", token: story.ben)
        #expect(feed.wait(count: 1) && list.wait(count: 1))
        _ = try story.note("0")
        #expect(feed.wait(count: 2) && feed.names == ["snapshot", "created"])
        #expect(
            try service.send("DELETE", "/v1/clubs/\(story.club)/members/\(story.benID)", token: story.ben).status == 204
        )
        _ = try story.note("0")
        #expect(list.wait { $0.isEnded })
        _ = try service.make("/v1/books", "{\"title\":\"Dawn\"}")
        #expect(feed.wait(count: 4) && feed.names == ["snapshot", "created", "deleted", "created"])
        #expect(feed.events[2].data.contains("\"resource\":\"membership\""))
        #expect(try service.send("GET", "/v1/clubs/\(story.club)", token: story.ben).status == 404)
        let logged = try service.events(after: "", token: story.ben)
        #expect(!logged.contains { $0.hasPrefix("note") || $0.hasPrefix("club") || $0.hasPrefix("member ") })
    }

    @Test("A reader's feed includes a club from the moment they join")
    func coming() throws {
        let story = try ClubStory()
        let cem = try story.service.reader("Cem")
        let feed = try Watcher(story.service, "/v1/changes", token: cem)
        #expect(feed.wait(count: 1))
        _ = try story.note("0", "before")
        try story.join(cem)
        _ = try story.note("0", "after")
        feed.wait(count: 4)
        #expect(feed.names == ["snapshot", "created", "created", "created"], "\(feed.events.map(\.data))")
        #expect(feed.events[3].data.contains("after"))
        let again = try Watcher(story.service, "/v1/changes", token: cem, lastEventID: feed.events[0].id)
        #expect(again.wait(count: 3) && again.events == Array(feed.events.dropFirst()))
    }

    @Test("Moderators see locked notes while the club's setting allows it")
    func moderators() throws {
        let story = try ClubStory()
        let service = story.service
        let note = try story.note("0.8")
        let member = "/v1/clubs/\(story.club)/members/\(story.benID)"
        _ = try service.send("PATCH", member, "{\"role\":\"moderator\"}", token: story.ada)
        #expect(try story.seen() == [])
        let list = try Watcher(service, "/v1/clubs/\(story.club)/notes", token: story.ben)
        #expect(list.wait(count: 1))
        _ = try service.send("PATCH", "/v1/clubs/\(story.club)", "{\"moderatorsSeeAhead\":true}", token: story.ada)
        #expect(try story.seen() == [note])
        #expect(list.wait(count: 2) && list.names == ["snapshot", "unlocked"])
        let second = try story.note("0.9")
        #expect(list.wait(count: 3) && list.names == ["snapshot", "unlocked", "enter"])
        _ = try service.send("PATCH", member, "{\"role\":\"member\"}", token: story.ada)
        _ = try story.note("0.9")
        #expect(list.wait(count: 5) && list.names.suffix(2) == ["leave", "leave"])
        #expect(list.events.suffix(2).map { $0.data.contains(note) } == [true, false])
        #expect(list.events.suffix(2).map { $0.data.contains(second) } == [false, true])
        #expect(try story.seen() == [])
    }

    @Test("A list counts locked notes only where the club's setting allows it")
    func ahead() throws {
        let story = try ClubStory(club: ",\"countsAhead\":true")
        _ = try story.note("0.5")
        _ = try story.note("0.6")
        _ = try story.read("0.5")
        let list = try story.service.send("GET", "/v1/clubs/\(story.club)/notes", token: story.ben)
        #expect(list["ahead"]?.integer == 1 && list["items"]?.elements.map { $0 }.count == 1)
    }

    @Test("A club always has an owner, and the end of a club deletes its contents")
    func owners() throws {
        let story = try ClubStory()
        let service = story.service
        let adaID = try service.send("GET", "/v1/me", token: story.ada)["id"]?.string ?? ""
        let own = "/v1/clubs/\(story.club)/members/\(adaID)"
        #expect(try service.send("DELETE", own, token: story.ada).status == 409)
        #expect(try service.send("PATCH", own, "{\"role\":\"member\"}", token: story.ada).status == 409)
        _ = try service.send(
            "PATCH", "/v1/clubs/\(story.club)/members/\(story.benID)", "{\"role\":\"owner\"}", token: story.ada)
        #expect(try service.send("DELETE", own, token: story.ada).status == 204)
        let feed = try Watcher(service, "/v1/changes", token: story.ben)
        #expect(feed.wait(count: 1))
        #expect(try service.send("DELETE", "/v1/clubs/\(story.club)", token: story.ben).status == 204)
        #expect(feed.wait(count: 2) && feed.events[1].data.contains("membership"))
        #expect(try service.send("GET", "/v1/clubs/\(story.club)", token: story.ben).status == 404)
        service.stop()
        #expect(try Store.check(directory: service.directory) == [])
    }

    @Test("An invitation admits as many members as it says until it expires, unless it is revoked")
    func invitations() throws {
        let story = try ClubStory()
        let service = story.service
        let cem = try service.reader("Cem")
        let path = "/v1/clubs/\(story.club)/invitations"
        let once = try service.send("POST", path, "{\"usesMax\":1}", token: story.ada)
        let code = once["code"]?.string ?? ""
        #expect(try service.send("DELETE", "\(path)/\(once["id"]?.string ?? "")", token: story.ada).status == 204)
        let join = "{\"invitation\":\"\(code)\"}"
        #expect(try service.send("POST", "/v1/memberships", join, token: cem).pointers == ["/invitation"])
        try story.join(cem)
        #expect(try service.send("POST", path, "{}", token: cem).status == 403)
        #expect(try service.send("GET", path, token: cem).status == 403)
        #expect(
            try service.send("POST", path, "{\"expiresAt\":\"2020-01-01T00:00:00Z\"}", token: story.ada).status == 422)
        #expect(try service.send("GET", path, token: story.ada)["items"]?.elements.map { $0 }.count == 2)
    }
}

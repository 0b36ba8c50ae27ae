import API
import Foundation
import JSON
import SharedByTests
import Store
import Testing

@Suite("Cursors of the log", .serialized, .ownThreads)
struct CursorTests {
    private func ids(_ answer: Answer) -> [String] {
        answer["items"]?.elements.compactMap { $0["id"]?.string } ?? []
    }

    /// Returns the data of a feed's snapshot, or of an event as a page of changes has it. A poll may end within a
    /// transaction, and marks no change as the last of it.
    private func place(_ event: Watcher.Event) throws -> JSONValue {
        try JSONDocument(Array(event.data.replacing(",\"isLast\":true", with: "").utf8)).root
    }

    @Test(
        "A poll begins with the oldest change, a stream now, and both with an empty cursor at the log's beginning"
    )
    func beginning() throws {
        let service = try TestService()
        for title in ["One", "Two"] { _ = try service.make("/v1/books", "{\"title\":\"\(title)\"}") }
        let first = try service.send("GET", "/v1/changes?limit=1")
        let next = try #require(first["head"]?.string)
        #expect(ids(first).count == 1 && first["floor"]?.string == next.prefix(9) + "0")
        let fromNow = try Watcher(service, "/v1/changes")
        #expect(fromNow.wait(count: 1) && fromNow.lastID == next)
        #expect(try place(fromNow.events[0])["after"]?.string == next)
        let book = try service.make("/v1/books", "{\"title\":\"Three\"}")
        #expect(try ids(service.send("GET", "/v1/changes?after=\(next)")) == [book])
        #expect(fromNow.wait(count: 2) && fromNow.events[1].data.contains(book))

        let all = try service.send("GET", "/v1/changes?after=&limit=100")
        #expect(all["items"]?.elements.first { _ in true } == first["items"]?.elements.first { _ in true })
        #expect(try service.send("GET", "/v1/changes?limit=100").text == all.text)
        #expect(try service.send("GET", "/v1/changes?cursor=&limit=100").text == all.text)
        let fromTheStart = try Watcher(service, "/v1/changes?after=")
        #expect(fromTheStart.wait(count: 1 + ids(all).count) && fromTheStart.names[0] == "snapshot")
        #expect(try place(fromTheStart.events[0])["after"]?.string == first["floor"]?.string)
        #expect(
            try fromTheStart.events.dropFirst().map { try place($0) } == all["items"]?.elements.map { $0 })
    }

    @Test("A cursor that is too old gets the log's floor and the way to continue, for polls and streams")
    func tooLate() throws {
        let service = try TestService { $0.store.retentionCountMax = 20 }
        let start = try service.head()
        for number in 0..<60 { _ = try service.make("/v1/books", "{\"title\":\"\(number)\"}") }
        #expect(
            try eventually {
                try service.send("GET", "/v1/changes?after=&limit=100")["items"]?.elements.map { $0 }.count == 20
            })
        let first = try service.send("GET", "/v1/changes?after=&limit=1")
        let floor = try #require(first["floor"]?.string)
        #expect(floor == start.prefix(9) + String((first["seq"]?.integer ?? 0) - 1))
        let refused = try service.send("GET", "/v1/changes?after=\(start)")
        #expect(refused.status == 409 && refused["type"]?.string?.hasSuffix("cursor-not-served") == true)
        #expect(refused.text.contains("starts at \(floor)") && refused.text.contains("Read the lists again"))
        let stream = try Watcher(service, "/v1/changes", lastEventID: start)
        #expect(stream.wait(count: 2) && stream.names == ["reset", "snapshot"])
        #expect(try place(stream.events[1])["floor"]?.string == floor)
        // The recovery that the problem describes: fetch the lists, and continue from there.
        let now = try service.head()
        #expect(try service.send("GET", "/v1/books")["after"]?.string == now && stream.lastID == now)
        let book = try service.make("/v1/books", "{\"title\":\"last\"}")
        #expect(try ids(service.send("GET", "/v1/changes?after=\(now)")) == [book])
    }

    @Test("A cursor names its log's epoch; a bare number is refused")
    func epochs() throws {
        let service = try TestService()
        let list = try service.send("GET", "/v1/books")
        let after = try #require(list["after"]?.string)
        let book = try service.make("/v1/books", "{\"title\":\"One\"}")
        #expect(try ids(service.send("GET", "/v1/changes?after=\(after)")).last == book)
        let resumed = try Watcher(service, "/v1/books", lastEventID: after)
        #expect(resumed.wait(count: 1) && resumed.names == ["enter"])
        let seq = list["seq"]?.integer ?? 0
        for bad in [
            "\(seq)", "00000000-\(seq)", "x", "\(after).", "\(after).0", "\(after).x", "\(after).1.1",
            "\(after).1234567890",
        ] {
            let poll = try service.send("GET", "/v1/changes?after=\(bad)")
            #expect(poll.status == 409, "\(bad): \(poll.text)")
            let stream = try Watcher(service, "/v1/books?after=\(bad)")
            #expect(stream.wait(count: 2) && stream.names == ["reset", "snapshot"], "\(bad)")
        }
    }

    @Test("A list's position is not before any of its items, and names its log", .timeLimit(.minutes(1)))
    func lists() throws {
        let story = try ClubStory()
        let service = story.service
        let epoch = try service.head().prefix(9)
        let club = "/v1/clubs/\(story.club)"
        try story.choose()
        _ = try story.milestone("0.5", due: "2090-01-01T00:00:00Z")
        try story.createStanding(sharing: "exact")
        let meeting = try story.meeting()
        let own = "\(club)/meetings/\(meeting)/attendance"
        #expect(try service.send("PUT", own, "{\"answer\":\"yes\"}", token: story.ben).status == 201)
        #expect(try service.send("POST", "\(club)/calendars", token: story.ben).status == 201)
        #expect(try service.send("POST", "\(club)/invitations", "{}", token: story.ada).status == 201)
        _ = try service.make(
            "/v1/notes", "{\"book\":\"\(story.book)\",\"club\":\"\(story.club)\",\"body\":\"b\"}", token: story.ben)
        _ = try story.read("0.5")
        #expect(try service.send("PATCH", "/v1/me", "{\"name\":\"Benjamin\"}", token: story.ben).status == 200)
        let ofBen = [
            "/v1/books", "/v1/readings", "/v1/readings/\(story.reading)/entries", "/v1/cards", "/v1/clubs", "/v1/notes",
            "\(club)/members", "\(club)/runs", "\(club)/milestones", "\(club)/standings", "\(club)/meetings",
            "\(club)/meetings/\(meeting)/attendances", "\(club)/notes", "\(club)/calendars",
        ]
        let asked =
            ofBen.map { ($0, story.ben) } + [
                ("\(club)/invitations", story.ada), ("/v1/readers", service.token), ("/v1/tokens", service.token),
            ]
        for (path, token) in asked {
            let list = try service.send("GET", path, token: token)
            let versions = list["items"]?.elements.compactMap { $0["version"]?.integer } ?? []
            let seq = list["seq"]?.integer ?? -1
            #expect(!versions.isEmpty && versions.allSatisfy { $0 <= seq }, "\(path): \(list.text)")
            #expect(list["after"]?.string == "\(epoch)\(seq)", "\(path)")
        }
    }

    @Test(
        "A page has no more changes than its limit, however many notes one entry unlocks, and each is sent once",
        arguments: [1, 7, 100])
    func limits(_ limit: Int) throws {
        let story = try ClubStory()
        let service = story.service
        var notes: [String] = []
        for number in 0..<120 { notes.append(try story.note("0.43", "note \(number)")) }
        let start = try service.head(token: story.ben)
        _ = try story.read("0.5")
        var (cursor, seen, pages) = (start, [String](), 0)
        while pages < 300 {
            let page = try service.send("GET", "/v1/changes?after=\(cursor)&limit=\(limit)", token: story.ben)
            let items = page["items"]?.elements.map { $0 } ?? []
            #expect(page.status == 200 && items.count <= limit)
            seen += items.filter { $0["change"]?.string == "unlocked" }.compactMap { $0["id"]?.string }
            let next = page["next"]?.string ?? ""
            if items.isEmpty, next == cursor { break }
            cursor = next
            pages += 1
            // A deletion between two pages does not shift the other items.
            if seen.count == 7 || limit == 100 && seen.count == 98, let gone = notes.first, seen.contains(gone) {
                #expect(try service.send("DELETE", "/v1/notes/\(gone)", token: story.ada).status == 204)
            }
        }
        #expect(seen == notes)
        #expect(try cursor == service.head(token: story.ben))
    }

    @Test("A stream that resumes within a change sends the rest of it, like a poll", arguments: [true, false])
    func within(_ isField: Bool) throws {
        let story = try ClubStory()
        for _ in 0..<5 { _ = try story.note("0.43") }
        let start = try story.service.head(token: story.ben)
        _ = try story.read("0.5")
        // The page has the entry, the reading, and two of five notes.
        let page = try story.service.send("GET", "/v1/changes?after=\(start)&limit=4", token: story.ben)
        let next = try #require(page["next"]?.string)
        #expect(next.hasSuffix(".2"))
        let rest = try story.service.send("GET", "/v1/changes?after=\(next)", token: story.ben)
        let path = isField ? "/v1/changes" : "/v1/changes?after=\(next)"
        let stream = try Watcher(story.service, path, token: story.ben, lastEventID: isField ? next : nil)
        #expect(stream.wait(count: 3))
        let book = try story.service.make("/v1/books", "{\"title\":\"Later\"}")
        #expect(stream.wait(count: 4) && stream.names == ["unlocked", "unlocked", "unlocked", "created"])
        #expect(try stream.events.map { try place($0)["id"]?.string } == ids(rest) + [book])
        #expect(stream.events[2].id == String(next.dropLast(2)))
    }

    @Test("A position within a change is valid only for the feed, and only where the reader received one")
    func withinElsewhere() throws {
        let story = try ClubStory()
        let service = story.service
        for _ in 0..<3 { _ = try story.note("0.43") }
        let start = try service.head(token: story.ben)
        _ = try story.read("0.5")
        let page = try service.send("GET", "/v1/changes?after=\(start)&limit=3", token: story.ben)
        let next = try #require(page["next"]?.string)
        #expect(next.hasSuffix(".1"))
        for path in ["/v1/books", "/v1/clubs/\(story.club)/notes"] {
            let stream = try Watcher(service, path, token: story.ben, lastEventID: next)
            #expect(stream.wait(count: 2) && stream.names == ["reset", "snapshot"], "\(path)")
        }
        let change = next.dropLast(2)
        let entry = (page["items"]?.elements.map { $0 } ?? []).first?["seq"]?.integer ?? 0
        #expect(try service.send("GET", "/v1/changes?after=\(change).2", token: story.ben).status == 200)
        for (cursor, token) in [
            ("\(change).3", story.ben), ("\(change).999", story.ben), ("\(next.prefix(9))\(entry).1", story.ben),
            (next, story.ada),
        ] {
            #expect(try service.send("GET", "/v1/changes?after=\(cursor)", token: token).status == 409, "\(cursor)")
            let stream = try Watcher(service, "/v1/changes?after=\(cursor)", token: token)
            #expect(stream.wait(count: 2) && stream.names == ["reset", "snapshot"], "\(cursor)")
        }
    }

    @Test("A page of changes links to the next one while the log has more, and the last page has no link")
    func link() throws {
        let service = try TestService()
        let start = try service.head()
        for title in ["One", "Two", "Three"] { _ = try service.make("/v1/books", "{\"title\":\"\(title)\"}") }
        var (path, seen) = ("/v1/changes?limit=1&after=\(start)", [String]())
        for place in 1...3 {
            let page = try service.send("GET", path)
            seen += ids(page)
            let link = page.fields["link"]
            guard place < 3 else {
                #expect(link == nil)
                break
            }
            let next = page["next"]?.string ?? ""
            #expect(link == "</v1/changes?limit=1&cursor=\(next)>; rel=\"next\"")
            path = "/v1/changes?limit=1&cursor=\(next)"
        }
        #expect(Set(seen).count == 3)
        #expect(try service.send("GET", "/v1/changes?after=\(start)").fields["link"] == nil)
        #expect(try service.send("GET", "/v1/changes?limit=100").fields["link"] == nil)
    }

    @Test("A poll says how long it would have waited; polls and streams refuse each other's parameters")
    func preferences() throws {
        let service = try TestService()
        let start = try service.head()
        let waited = try service.send("GET", "/v1/changes?after=\(start)", fields: ["Prefer: wait=1"])
        #expect(waited.status == 200 && waited.fields["preference-applied"] == "wait=1")
        _ = try service.make("/v1/books", "{\"title\":\"One\"}")
        let atOnce = try service.send(
            "GET", "/v1/changes?after=\(start)", fields: ["Prefer: wait=99999999999999999999"])
        #expect(atOnce.status == 200 && atOnce.fields["preference-applied"] == "wait=60")
        #expect(try service.send("GET", "/v1/changes?after=\(start)").fields["preference-applied"] == nil)
        let refused = try service.send("GET", "/v1/changes?after=\(start)&fields=title")
        #expect(refused.status == 400 && refused.text.contains("fields"))
        for query in ["fields=title", "cursor=\(start)"] {
            let stream = try Watcher(service, "/v1/changes?\(query)")
            #expect(stream.wait { $0.status == "HTTP/1.1 400" }, "\(query)")
        }
    }
}
